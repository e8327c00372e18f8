// What the parts of the fake library share: names of files, and what is refused.

export const NAMES = [
  "northwind-energy-climate-report-2024.pdf",
  "aurelia-cement-annual-2024.pdf",
  "halden-shipping-esg-2024.pdf",
  "meridian-foods-sustainability.pdf",
  "solace-air-tcfd-2024.docx",
];

/** What is refused where it names something that is not there. */
export const missing = (what: string) => ({ code: "not_found", message: `${what} does not exist` });
