// Every part of the kit on one sheet, to be looked at beside the design's foundations. Not part of the window.

import "../src/kit/styles";
import { IconDots, IconPlus, IconTrash } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { createRoot } from "react-dom/client";
import { defineAll } from "../src/app/shortcuts";
import { Themed } from "../src/app/Themed";
import { Button, IconButton } from "../src/kit/Button";
import { CopyButton } from "../src/kit/CopyButton";
import { type Column, DataTable } from "../src/kit/DataTable";
import { NumberField, SearchField, Select, SliderRow, Switch, SwitchRow, TextField } from "../src/kit/fields";
import { Highlight } from "../src/kit/Highlight";
import { Histogram } from "../src/kit/Histogram";
import { Id } from "../src/kit/Id";
import { JsonView } from "../src/kit/JsonView";
import { Kbd } from "../src/kit/Kbd";
import { LegBadge, ScoreBar } from "../src/kit/legs";
import { Markdown } from "../src/kit/Markdown";
import { Menu } from "../src/kit/Menu";
import { Meter } from "../src/kit/Meter";
import { KeyValues, Note } from "../src/kit/Note";
import { Pane, PaneHead, Panes } from "../src/kit/Panes";
import { Pill, Tag } from "../src/kit/Pill";
import { SegmentedControl } from "../src/kit/SegmentedControl";
import { Status } from "../src/kit/Status";
import { handleKey } from "../src/kit/shortcuts";
import { EmptyState, ErrorState, SkeletonRows } from "../src/kit/states";
import { Tabs } from "../src/kit/Tabs";
import { Tree } from "../src/kit/Tree";
import { VirtualList } from "../src/kit/VirtualList";
import { Waterfall } from "../src/kit/Waterfall";
import { applyPreferences } from "../src/state/preferences";

type Row = { name: string; chunks: number };

const rows: Row[] = Array.from({ length: 5000 }, (_, index) => ({
  name: `Corpus ${index}`,
  chunks: (index * 7919) % 5000,
}));
const columns: Column<Row>[] = [
  { id: "name", header: "Corpus", width: "minmax(0,1fr)", cell: (row) => row.name, sort: (row) => row.name },
  { id: "status", header: "Status", width: "110px", cell: () => <Status kind="ok">Ready</Status> },
  {
    id: "chunks",
    header: "Chunks",
    width: "80px",
    numeric: true,
    cell: (row) => row.chunks,
    sort: (row) => row.chunks,
  },
];

type Node = { id: string; children?: Node[] };
const tree: Node[] = [
  { id: "IFRS S1", children: [{ id: "33(a)" }, { id: "33(b)" }] },
  { id: "IFRS S2", children: [{ id: "Strategy", children: [{ id: "14(a)" }, { id: "14(b)" }] }] },
];

const bins = Array.from({ length: 29 }, (_, index) => {
  const from = 20 + index * 20;
  const count = Math.round(57 * Math.exp(-(((from - 320) / 85) ** 2))) + (from < 80 ? 6 : 0);
  return {
    from,
    to: from + 20,
    count,
    tone: from < 80 ? ("warn" as const) : from >= 540 ? ("bad" as const) : undefined,
  };
});
const rules = [
  { at: 80, label: "min 80" },
  { at: 320, label: "target 320", solid: true },
  { at: 512, label: "max 512" },
];
const steps = [
  { label: "Keyword", start: 2, duration: 11, leg: "keyword" as const },
  { label: "Embed query", start: 0, duration: 148, network: true },
  { label: "Vector", start: 148, duration: 19, leg: "semantic" as const },
  { label: "Fuse", start: 167, duration: 0.6, leg: "fused" as const },
  { label: "Rerank 30", start: 168, duration: 234, leg: "rerank" as const, network: true },
];

const markdown = `# Heading

Some *words*, a [link](https://example.org), <img src=x onerror=alert(1)> and ![a picture](https://example.org/x.png).

| Milestone | 2030 |
|---|---|
| Gas converted | 1.1 |

- [x] done
- \`code\``;

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section style={{ display: "flex", flexDirection: "column", gap: 8 }}>
      <h2 className="h2">{title}</h2>
      {children}
    </section>
  );
}

const COLUMN = {
  height: "100%",
  padding: "14px 20px",
  display: "flex",
  flexDirection: "column",
  gap: 16,
  overflow: "auto",
} as const;

function Sheet() {
  const [segment, setSegment] = useState<"one" | "two" | "three">("two");
  const [tab, setTab] = useState<"timing" | "context">("timing");
  const [target, setTarget] = useState(320);
  const [on, setOn] = useState(true);
  const [find, setFind] = useState("transition plan");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(["IFRS S1", "IFRS S2", "Strategy"]));
  const [node, setNode] = useState<string | null>("33(b)");
  const [row, setRow] = useState<string | null>("Corpus 2");
  const [line, setLine] = useState(3);
  return (
    <main style={{ height: "100vh" }}>
      <Panes id="gallery">
        <Pane id="a" label="Controls" size={470} fold="start">
          <PaneHead title="Controls" detail="in the design's density" end={<Tag mono>RP-NW24-0041</Tag>} />
          <div style={COLUMN}>
            <Group title="Buttons">
              <div className="row wrap">
                <Button tone="primary">Primary</Button>
                <Button>Default</Button>
                <Button tone="quiet">Quiet</Button>
                <Button tone="danger">Delete…</Button>
                <Button disabled>Disabled</Button>
                <Menu
                  label="More"
                  entries={[
                    {
                      label: "Delete",
                      danger: true,
                      icon: <IconTrash className="small" />,
                      onClick: () => {},
                    },
                  ]}
                >
                  <IconButton label="More">
                    <IconDots aria-hidden />
                  </IconButton>
                </Menu>
                <CopyButton text="copied" />
              </div>
            </Group>
            <Group title="Fields">
              <div className="row">
                <TextField label="Name" placeholder="Placeholder" style={{ width: 150 }} />
                <SearchField label="Filter" value={find} onChange={setFind} style={{ width: 170 }} />
                <NumberField label="Top k" value={10} onChange={() => {}} min={1} max={100} />
              </div>
              <Select
                label="Strategy"
                value="recursive"
                onChange={() => {}}
                options={[
                  { value: "recursive", label: "Recursive" },
                  { value: "report", label: "Report" },
                ]}
              />
              <SliderRow label="Target tokens" value={target} onChange={setTarget} min={40} max={800} />
              <SwitchRow label="Split at headings" checked={on} onChange={setOn} />
              <div className="row gap-12">
                <Switch label="On" checked onChange={() => {}} />
                <Switch label="Off" checked={false} onChange={() => {}} />
                <SegmentedControl
                  label="Count"
                  size="small"
                  value={segment}
                  onChange={setSegment}
                  options={[
                    { value: "one", label: "One" },
                    { value: "two", label: "Two" },
                    { value: "three", label: "Three" },
                  ]}
                />
              </div>
            </Group>
            <div className="row gap-6">
              <Pill label="Issuer" value="any" menu />
              <Pill label="Pillar" value="Strategy" active onRemove={() => {}} removeLabel="Clear pillar" />
              <Pill label="Filter" dashed icon={<IconPlus className="xs" />} />
              <Id link>S2.29(e)</Id>
              <Kbd keys="mod+k" />
            </div>
            <Group title="Status and legs">
              <div className="row gap-16">
                <Status kind="ok">Ready</Status>
                <Status kind="run">Ingesting</Status>
                <Status kind="warn">Changed</Status>
                <Status kind="bad">Failed</Status>
                <Status kind="off">Empty</Status>
              </div>
              <div className="row">
                <LegBadge leg="semantic" />
                <LegBadge leg="keyword" />
                <LegBadge leg="fused" />
                <LegBadge leg="rerank" />
                <LegBadge leg="rerank" struck />
                <LegBadge leg="reference" />
                <ScoreBar
                  label="0.0325"
                  scale={0.04}
                  parts={[
                    { leg: "semantic", value: 0.0164 },
                    { leg: "keyword", value: 0.0161 },
                  ]}
                />
                <Meter label="Coverage" value={0.61} tone="accent" width={64} />
              </div>
            </Group>
            <Note kind="info">Searches fall back to keyword for chunks not yet embedded.</Note>
            <Note kind="warn">Model changed.</Note>
            <KeyValues
              rows={[
                ["Strategy", "Recursive, 320 / 48"],
                ["On disk", "138 MB"],
              ]}
            />
          </div>
        </Pane>
        <Pane id="b" label="Lists">
          <PaneHead title="Lists" />
          <div className="col" style={{ height: 200 }}>
            <DataTable
              label="Corpora"
              columns={columns}
              rows={rows}
              rowKey={(each) => each.name}
              selected={row}
              onSelect={(each) => setRow(each.name)}
            />
          </div>
          <div className="col" style={{ height: 200, borderTop: "1px solid var(--line)" }}>
            <Tree
              label="Standards"
              roots={tree}
              open={open}
              onOpenChange={setOpen}
              selected={node}
              onSelect={(each) => setNode(each.id)}
              row={(each) => <Highlight text={each.id} query="33" />}
              words={(each) => each.id}
              arrowLabel={(each, isOpen) => `${isOpen ? "Close" : "Open"} ${each.id}`}
            />
          </div>
          <div className="col" style={{ height: 160, borderTop: "1px solid var(--line)" }}>
            <VirtualList
              label="Chunks"
              count={200_000}
              rowHeight={28}
              selected={line}
              onSelect={setLine}
              row={(index) => <span className="sm number">#{index}</span>}
            />
          </div>
          <Tabs
            label="Dock"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: "timing", label: "Timing", panel: <SkeletonRows rows={2} /> },
              { value: "context", label: "Context", panel: <div>Context</div> },
            ]}
          />
        </Pane>
        <Pane id="c" label="Charts" size={470} fold="end" sunken>
          <PaneHead title="Charts" />
          <div style={COLUMN}>
            <Histogram label="Histogram of chunk tokens" bins={bins} rules={rules} max={620} />
            <Waterfall label="Timing waterfall" steps={steps} width={430} />
            <JsonView
              label="Metadata"
              value={{
                issuer: "Northwind Energy plc",
                year: 2024,
                page: [34, 34],
                refs: ["S2.14(a)(iv)"],
                ok: true,
              }}
            />
            <div className="row align-top">
              <EmptyState
                title="No passages match"
                detail="Two filters exclude every issuer."
                action={<Button size="small">Clear filters</Button>}
              />
              <ErrorState
                error={{ code: "storage", message: "Another process holds the file." }}
                onRetry={() => {}}
              />
            </div>
            <Markdown text={markdown} />
          </div>
        </Pane>
      </Panes>
    </main>
  );
}

function Gallery() {
  return (
    <Themed>
      <Sheet />
    </Themed>
  );
}

applyPreferences();
defineAll([]);
window.addEventListener("keydown", handleKey);
const root = document.getElementById("root");
if (root) createRoot(root).render(<Gallery />);
