import type { Usage } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { usageQuery } from "../api/usage.ts";
import { byteSize } from "../components/byte-size.ts";
import { DayChart } from "../components/day-chart.tsx";
import { Meter } from "../components/meter.tsx";
import { Notice } from "../components/notice.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { Select } from "../components/select.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { type Column, Table } from "../components/table.tsx";
import { periodWords } from "../components/time-words.ts";
import { dayOf, lastDays, sumByDay } from "./usage/days.ts";
import { ProjectUses } from "./usage/project-uses.tsx";
import styles from "./usage.module.css";

const ranges = [
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
];

/** The usage of the account by day and project, and its limits. */
export function UsagePage() {
  const [range, setRange] = useState("30");
  const days = lastDays(Number(range), Date.now());
  const { data, error } = useQuery(usageQuery({ from: days[0] ?? "", to: dayOf(Date.now()) }));
  return (
    <>
      <PageHeader title="Usage" description="Usage of all your projects. Days are in UTC.">
        <Select label="Range" options={ranges} value={range} onChange={setRange} />
      </PageHeader>
      {error !== null ? (
        <PageFault error={error} />
      ) : data === undefined ? (
        <PageSkeleton />
      ) : (
        <div className={styles.page}>
          <Limits limits={data.limits} />
          <Charts days={days} rows={data.days} />
          {data.days.length === 0 ? (
            <Notice>No usage in these days.</Notice>
          ) : (
            <>
              <Section title="By project">
                <ProjectUses days={data.days} />
              </Section>
              <DayTable days={days} rows={data.days} />
            </>
          )}
        </div>
      )}
    </>
  );
}

function Limits({ limits }: { readonly limits: Usage["limits"] }) {
  const grouped = (value: number) => value.toLocaleString("en");
  return (
    <Section
      title="Limits"
      description={
        limits.ingest_per_minute === null
          ? "Ingest requests per minute are not limited."
          : `At most ${grouped(limits.ingest_per_minute)} ingest requests per minute. A batch counts as one request.`
      }
    >
      <div className={styles.grid}>
        <Meter
          label="Tokens this month"
          used={limits.tokens_used}
          limit={limits.token_limit}
          format={grouped}
        />
        <Meter
          label="Stored text"
          used={limits.stored_bytes_used}
          limit={limits.stored_bytes}
          format={byteSize}
        />
      </div>
    </Section>
  );
}

interface DaysProps {
  readonly days: readonly string[];
  readonly rows: Usage["days"];
}

function Charts({ days, rows }: DaysProps) {
  return (
    <Section title="By day">
      <div className={styles.grid}>
        {measures.map(({ title, countOf }) => (
          <DayChart key={title} title={title} days={sumByDay(days, rows, countOf)} />
        ))}
      </div>
    </Section>
  );
}

const measures = [
  {
    title: "Tokens",
    countOf: (row: Usage["days"][number]) => row.tokens + row.model_tokens,
  },
  { title: "Documents", countOf: (row: Usage["days"][number]) => row.documents },
  { title: "Questions", countOf: (row: Usage["days"][number]) => row.queries },
];

interface DayRow {
  readonly date: string;
  readonly values: readonly number[];
}

/** The data of the charts, newest day first. */
function DayTable({ days, rows }: DaysProps) {
  const columns: readonly Column<DayRow>[] = [
    { title: "Day", cell: ({ date }) => periodWords(date) },
    ...measures.map(({ title }, at) => ({
      title,
      isNumber: true,
      cell: ({ values }: DayRow) => (values[at] ?? 0).toLocaleString("en"),
    })),
  ];
  const sums = measures.map(({ countOf }) => sumByDay(days, rows, countOf));
  const table = days
    .map((date, day) => ({ date, values: sums.map((sum) => sum[day]?.value ?? 0) }))
    .filter(({ values }) => values.some((value) => value > 0))
    .reverse();
  return (
    <Section title="Days in numbers">
      <Table label="Days" columns={columns} rows={table} keyOf={({ date }) => date} />
    </Section>
  );
}
