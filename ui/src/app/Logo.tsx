/** The mark. */
export function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden="true">
      <path
        d="M2.5 12C5.6 6.6 8.7 4 12 4s6.4 2.6 9.5 8c-3.1 5.4-6.2 8-9.5 8s-6.4-2.6-9.5-8Z"
        strokeWidth="1.7"
        strokeLinejoin="round"
      />
      <path d="M7 9.5h10M6.2 12h11.6M7 14.5h10" strokeWidth="1.5" strokeLinecap="round" opacity=".42" />
      <circle cx="12" cy="12" r="3.1" fill="var(--frame)" strokeWidth="1.7" />
      <circle cx="12" cy="12" r="1.1" fill="currentColor" stroke="none" />
    </svg>
  );
}
