/** The only reader of the environment. */
import { BlockList, isIP } from "node:net";
import { join, resolve } from "node:path";
import type { OcrLanguage } from "./adapters/files/ocr/recogniser.ts";
import type { EmbeddingSettings, LocalSettings } from "./adapters/models/embedding/settings.ts";
import type { LanguageModelSettings } from "./adapters/models/language/settings.ts";
import type { RerankSettings } from "./adapters/models/rerank/settings.ts";
import { DEVICES, type Device } from "./adapters/models/runtime/onnx-session.ts";
import type { SegmentStoreSettings } from "./adapters/segments/settings.ts";
import { coresUpTo, readDatabase, readSegmentStore, SEGMENT_STORE_NAMES } from "./config-database.ts";
import { EMBEDDING_NAMES, readEmbedding, readPreviousEmbedding } from "./config-embedding.ts";
import { LANGUAGE_MODEL_NAMES, readLanguageModel } from "./config-language-model.ts";
import { OCR_NAMES, readOcr } from "./config-ocr.ts";
import {
  ANSWER_NAMES,
  EXTRACTION_NAMES,
  type ExtractionSettings,
  readAnswer,
  readExtraction,
} from "./config-provider.ts";
import { RERANK_NAMES, readRerank } from "./config-rerank.ts";
import { readTelemetry, type TelemetrySettings } from "./config-telemetry.ts";
import { type ConfidenceLimits, DEFAULT_CONFIDENCE_LIMITS } from "./domain/graph.ts";
import type { Role } from "./domain/service-process.ts";

const MIB = 1024 * 1024;
const LOCAL = "127.0.0.1";

export type LogLevel = "debug" | "info" | "warn" | "error";

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Origin and optional path prefix, without a trailing slash. */
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  /** Folder of local models. */
  readonly modelsDir: string;
  /** Where models are added from; used by `kcs-server models add` alone. */
  readonly hub: HubConfig;
  /** null = the embedded database in the data directory. */
  readonly databaseUrl: string | null;
  /** What this process does; one on the embedded database does all. */
  readonly role: Role;
  /** To PostgreSQL, of all threads of the process together. */
  readonly databaseConnections: number;
  /** null = the bytes of segments are in the database. */
  readonly segmentStore: SegmentStoreSettings | null;
  readonly signUp: "open" | "closed";
  /** null = generated on the first start and kept in the data directory or, on PostgreSQL, in the database. */
  readonly secret: string | null;
  /** Encrypts the generated secret in the database; null = it is stored in plain text. */
  readonly encryptionKey: string | null;
  readonly bootstrapApiKey: string | null;
  /** null = no limit. */
  readonly ingestPerMinute: number | null;
  /** Tokens per account and calendar month (UTC); null = no limit. */
  readonly tokenLimit: number | null;
  /** How long ended jobs are kept. */
  readonly jobRetentionDays: number;
  readonly maxTextBytes: number;
  readonly maxFileBytes: number;
  /** In which text in pictures is recognised; none = it is not. */
  readonly ocrLanguages: readonly OcrLanguage[];
  /** Of new projects: from which confidence on relationships are asserted, and proposed. */
  readonly confidenceLimits: ConfidenceLimits;
  readonly logLevel: LogLevel;
  /** How long a service that is asked to end still takes requests; null = none on a terminal, else five seconds. */
  readonly drainSeconds: number | null;
  readonly cacheBytes: number;
  readonly ingestThreads: number;
  readonly queryThreads: number;
  /** Whether webhooks may be sent by http and to private addresses. */
  readonly webhookPrivate: "allow" | "refuse";
  /** Whether agents may correct graphs. */
  readonly mcpCorrections: "allow" | "refuse";
  /** null = metrics are answered to local requests only. */
  readonly metricsToken: string | null;
  /** Where traces and metrics are sent; null = nowhere. */
  readonly telemetry: TelemetrySettings | null;
  /** null = none: the built-in engine extracts, suggests and plans. */
  readonly languageModel: LanguageModelSettings | null;
  /** Of new projects; null = the bundled model, which is available in addition to a configured one, too. */
  readonly embedding: EmbeddingSettings | LocalSettings | null;
  /** A second one, for projects that were created with it and are not moved yet; null = none. */
  readonly previousEmbedding: EmbeddingSettings | LocalSettings | null;
  /** Orders the best chunks of a question again: of every one in this process, of dynamic ones at a provider; null = none. */
  readonly rerank: RerankSettings | LocalSettings | null;
  /** Its time for one question. */
  readonly rerankMs: number;
  /** Reads entities and relations in place of a language model; null = none. */
  readonly extraction: ExtractionSettings | null;
  /** Finds the answer in the best chunks of a question, for the summary; null = none. */
  readonly answer: LocalSettings | null;
  readonly answerMs: number;
  /** For the local models of all threads; null = half of the machine's memory. */
  readonly modelsMemoryBytes: number | null;
  /** After this time without use, query threads close a local model; 0 = never. */
  readonly modelsIdleMinutes: number;
  /** What computes local models, but not the bundled one. */
  readonly modelsDevice: Device;
}

export interface HubConfig {
  /** Without a trailing slash. */
  readonly endpoint: string;
  readonly token: string | null;
  readonly offline: boolean;
}

export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? "a fault" : `${faults.length} faults`}:\n  ${faults.join("\n  ")}`,
    );
    this.name = "ConfigError";
    this.faults = faults;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

const KNOWN = new Set([
  "KCS_HOST",
  "KCS_PORT",
  "KCS_PUBLIC_URL",
  "KCS_CORS_ORIGINS",
  "KCS_TRUSTED_PROXIES",
  "KCS_DATA_DIR",
  "KCS_MODELS_DIR",
  "KCS_DATABASE_CONNECTIONS",
  "KCS_ROLE",
  ...SEGMENT_STORE_NAMES,
  "KCS_SIGN_UP",
  "KCS_SECRET",
  "KCS_ENCRYPTION_KEY",
  "KCS_BOOTSTRAP_API_KEY",
  "KCS_INGEST_PER_MINUTE",
  "KCS_TOKEN_LIMIT",
  "KCS_JOB_RETENTION_DAYS",
  "KCS_MAX_TEXT_BYTES",
  "KCS_MAX_FILE_BYTES",
  "KCS_CONFIDENCE",
  "KCS_LOG_LEVEL",
  "KCS_DRAIN_SECONDS",
  "KCS_CACHE_BYTES",
  "KCS_INGEST_THREADS",
  "KCS_QUERY_THREADS",
  "KCS_WEBHOOK_PRIVATE",
  "KCS_MCP_CORRECTIONS",
  "KCS_METRICS_TOKEN",
  ...LANGUAGE_MODEL_NAMES,
  ...EMBEDDING_NAMES,
  ...RERANK_NAMES,
  ...OCR_NAMES,
  ...EXTRACTION_NAMES,
  ...ANSWER_NAMES,
  "KCS_ANSWER_MS",
  "KCS_MODELS_MEMORY_BYTES",
  "KCS_MODELS_IDLE_MINUTES",
  "KCS_MODELS_DEVICE",
  // Settings of the command line, which may be set in the same shell.
  "KCS_URL",
  "KCS_KEY",
  "KCS_PROJECT",
]) as ReadonlySet<string>;

/**
 * Reads, checks and freezes the configuration. An empty value means the default.
 * @throws ConfigError that lists every fault at once; values of secrets are never in it.
 */
export function loadConfig(env: Environment = process.env): Config {
  const read = createReader(env);
  const host = readHost(read);
  const port = read.integer("KCS_PORT", { min: 0, max: 65_535, fallback: 8080 });
  const dataDir = resolve(read.text("KCS_DATA_DIR", "./data"));
  const embedding = readEmbedding(read);
  const config: Config = {
    host,
    port,
    publicUrl: read.address("KCS_PUBLIC_URL", `http://${reachableHost(host)}:${port}`),
    corsOrigins: read.origins("KCS_CORS_ORIGINS"),
    trustedProxies: read.networks("KCS_TRUSTED_PROXIES"),
    dataDir,
    modelsDir: resolve(read.text("KCS_MODELS_DIR", join(dataDir, "models"))),
    hub: {
      endpoint: read.address("HF_ENDPOINT", "https://huggingface.co"),
      token: read.secret("HF_TOKEN", {
        pattern: /^[\x21-\x7e]{1,1000}$/,
        expected: "a token without spaces",
      }),
      offline: read.isOn("HF_HUB_OFFLINE"),
    },
    ...readDatabase(read),
    segmentStore: readSegmentStore(read, dataDir),
    signUp: read.choice("KCS_SIGN_UP", ["open", "closed"], "closed"),
    secret: read.secret("KCS_SECRET", { pattern: /^.{32}/s, expected: "at least 32 characters" }),
    encryptionKey: read.secret("KCS_ENCRYPTION_KEY", {
      pattern: /^.{32}/s,
      expected: "at least 32 characters",
    }),
    bootstrapApiKey: read.secret("KCS_BOOTSTRAP_API_KEY", {
      pattern: /^kcs_[A-Za-z0-9_-]{32,200}$/,
      expected: "kcs_ and 32 to 200 more letters, digits, _ or -",
    }),
    ingestPerMinute: zeroIsNone(
      read.integer("KCS_INGEST_PER_MINUTE", { min: 0, max: 1_000_000, fallback: 10 }),
    ),
    tokenLimit: read.optionalInteger("KCS_TOKEN_LIMIT", { min: 0, max: Number.MAX_SAFE_INTEGER }),
    jobRetentionDays: read.integer("KCS_JOB_RETENTION_DAYS", { min: 1, max: 36_500, fallback: 90 }),
    maxTextBytes: read.integer("KCS_MAX_TEXT_BYTES", { min: 1, max: 64 * MIB, fallback: 10 * MIB }),
    maxFileBytes: read.integer("KCS_MAX_FILE_BYTES", { min: 1, max: 1024 * MIB, fallback: 100 * MIB }),
    ocrLanguages: readOcr(read),
    confidenceLimits: read.confidenceLimits("KCS_CONFIDENCE"),
    logLevel: read.choice("KCS_LOG_LEVEL", ["debug", "info", "warn", "error"], "info"),
    cacheBytes: read.integer("KCS_CACHE_BYTES", { min: 128 * MIB, max: 3072 * MIB, fallback: 512 * MIB }),
    ingestThreads: read.integer("KCS_INGEST_THREADS", {
      min: 1,
      max: 64,
      fallback: coresUpTo(8),
    }),
    webhookPrivate: read.choice("KCS_WEBHOOK_PRIVATE", ["refuse", "allow"], "refuse"),
    mcpCorrections: read.choice("KCS_MCP_CORRECTIONS", ["refuse", "allow"], "refuse"),
    metricsToken: read.secret("KCS_METRICS_TOKEN", {
      pattern: /^[\x21-\x7e]{16,256}$/,
      expected: "16 to 256 visible ASCII characters",
    }),
    telemetry: readTelemetry(read),
    languageModel: readLanguageModel(read),
    embedding,
    previousEmbedding: readPreviousEmbedding(read, embedding),
    ...readRerank(read),
    extraction: readExtraction(read),
    answer: readAnswer(read),
    answerMs: read.integer("KCS_ANSWER_MS", { min: 1, max: 10_000, fallback: 300 }),
    modelsMemoryBytes: read.optionalInteger("KCS_MODELS_MEMORY_BYTES", {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
    }),
    drainSeconds: read.optionalInteger("KCS_DRAIN_SECONDS", { min: 0, max: 300 }),
    modelsIdleMinutes: read.integer("KCS_MODELS_IDLE_MINUTES", { min: 0, max: 10_080, fallback: 30 }),
    modelsDevice: read.choice("KCS_MODELS_DEVICE", DEVICES, "cpu"),
  };
  for (const name of Object.keys(env)) {
    if (name.startsWith("KCS_") && !KNOWN.has(name)) read.fault(name, "unknown name, check its spelling");
  }
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return Object.freeze(config);
}

function zeroIsNone(value: number): number | null {
  return value === 0 ? null : value;
}

function createReader(env: Environment) {
  const faults: string[] = [];
  const fault = (name: string, message: string) => void faults.push(`${name}: ${message}`);
  const raw = (name: string) => {
    const value = env[name]?.trim();
    return value === undefined || value === "" ? null : value;
  };

  function optionalInteger(name: string, range: { min: number; max: number }): number | null {
    const value = raw(name);
    if (value === null) return null;
    const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= range.min && number <= range.max) return number;
    fault(name, `got "${value}", expected a whole number from ${range.min} to ${range.max}`);
    return null;
  }

  return {
    faults,
    fault,
    optionalInteger,
    optionalText: raw,
    text: (name: string, fallback: string) => raw(name) ?? fallback,
    integer: (name: string, range: { min: number; max: number; fallback: number }) =>
      optionalInteger(name, range) ?? range.fallback,
    choice<const Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
      const value = raw(name);
      const found = choices.find((choice) => choice === value);
      if (value !== null && found === undefined)
        fault(name, `got "${value}", expected ${choices.join(" or ")}`);
      return found ?? fallback;
    },
    /** "0.8,0.4": asserted from, proposed from. */
    confidenceLimits(name: string): ConfidenceLimits {
      const value = raw(name);
      if (value === null) return DEFAULT_CONFIDENCE_LIMITS;
      const isPair = /^(?:0|1|0?\.\d{1,3}|1\.0{1,3}) ?, ?(?:0|1|0?\.\d{1,3}|1\.0{1,3})$/.test(value);
      const [asserted = Number.NaN, proposed = Number.NaN] = value.split(",").map(Number);
      if (isPair && proposed <= asserted) return { asserted, proposed };
      fault(
        name,
        `got "${value}", expected two numbers from 0 to 1 like 0.8,0.4, the first not below the second`,
      );
      return DEFAULT_CONFIDENCE_LIMITS;
    },
    secret(name: string, rule: { pattern: RegExp; expected: string }): string | null {
      const value = raw(name);
      if (value !== null && !rule.pattern.test(value)) fault(name, `expected ${rule.expected}`);
      return value;
    },
    origins(name: string): readonly string[] {
      const origins = listOf(raw(name));
      for (const origin of origins) {
        if (originOf(origin) !== origin)
          fault(name, `got "${origin}", expected origins like https://app.example.com`);
      }
      return origins;
    },
    networks(name: string): readonly string[] {
      const networks = listOf(raw(name));
      for (const network of networks) {
        if (!isNetwork(network))
          fault(name, `got "${network}", expected addresses or networks like 10.0.0.0/8`);
      }
      return networks;
    },
    /** As the libraries of the hub read it. */
    isOn: (name: string) => /^(1|on|yes|true)$/i.test(raw(name) ?? ""),
    address(name: string, fallback: string): string {
      const value = raw(name) ?? fallback;
      const address = plainAddress(value);
      if (address === null) fault(name, "expected an address like https://example.com/knowledge");
      return address ?? value;
    },
    databaseUrl(name: string): string | null {
      const value = raw(name);
      const wrong = value === null ? null : databaseFault(value);
      if (wrong !== null) fault(name, wrong);
      return value;
    },
  };
}

function readHost(read: Pick<ReturnType<typeof createReader>, "text" | "fault">): string {
  const value = read.text("KCS_HOST", LOCAL);
  const isName = /^[\w.-]{1,253}$/.test(value) && URL.canParse(`http://${value}`);
  if (isName || isIP(value) !== 0) return value;
  read.fault("KCS_HOST", "expected a name or an IP address of this machine, as 127.0.0.1, 0.0.0.0 or ::");
  return LOCAL;
}

/** null = it is an address that the driver takes. */
function databaseFault(value: string): string | null {
  if (!/^postgres(ql)?:\/\//.test(value))
    return "expected an address that begins with postgres:// (empty = the embedded database)";
  // Only the driver takes one without a host, for a socket.
  if (URL.canParse(value.replace("@/", "@localhost/"))) return null;
  return "expected an address like postgres://user:password@host:5432/name";
}

/** Without a trailing slash; null for an address with a query, a fragment or a password. */
function plainAddress(value: string): string | null {
  const url = URL.canParse(value) ? new URL(value) : null;
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  if (!usable || url.username !== "" || url.password !== "") return null;
  return url.origin + url.pathname.replace(/\/{1,64}$/, "");
}

/** The host in the URL under which a browser on this machine reaches a service that listens on `host`. */
function reachableHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  // The zone of an address is of this machine.
  return host.includes(":") ? `[${host.split("%", 1)[0] ?? ""}]` : host;
}

function listOf(value: string | null): readonly string[] {
  return (value ?? "")
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

function originOf(value: string): string | null {
  return URL.canParse(value) ? new URL(value).origin : null;
}

function isNetwork(value: string): boolean {
  const [address = "", prefix, ...rest] = value.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (version === 4 ? 32 : 128)) return false;
  new BlockList().addSubnet(address, Number(prefix), version === 4 ? "ipv4" : "ipv6");
  return true;
}
