import { act, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { chooseTransport } from "@/api/client";
import { handlers } from "@/api/fake";
import { runningJob } from "@/api/fake/library/jobs";
import { fakeTransport } from "@/api/transport/fake";
import { show } from "@/test/render";
import { followJobs, useJobs } from "./jobs";

const EVENTS = 500;

afterEach(() => {
  vi.useRealTimers();
});

it("a burst of events is drawn twice, and ends with the last of them", () => {
  vi.useFakeTimers();
  const fake = fakeTransport(handlers);
  chooseTransport(fake);
  const stop = followJobs();
  let drawn = 0;
  const Job = () => {
    drawn += 1;
    return <p>{useJobs().get(7)?.files_done ?? "none"}</p>;
  };
  show(<Job />);
  const before = drawn;
  for (let done = 1; done <= EVENTS; done += 1)
    act(() => fake.emit({ job: { ...runningJob, job: 7, workspace: "default", files_done: done } }));
  expect(screen.getByText("1")).toBeInTheDocument();
  const atOnce = drawn - before;
  act(() => vi.runAllTimers());
  expect(screen.getByText(String(EVENTS))).toBeInTheDocument();
  expect(drawn - before).toBe(2 * atOnce);
  stop();
});
