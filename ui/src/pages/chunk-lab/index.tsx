import { PageHeader } from "@/app/page-header";

/** The screen. */
export default function ChunkLabPage() {
  return <PageHeader />;
}
