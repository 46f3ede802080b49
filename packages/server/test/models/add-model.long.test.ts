import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type AddOptions, addModel } from "../../src/adapters/models/hub/add-model.ts";
import { createHubClient, type HubSettings } from "../../src/adapters/models/hub/hub-client.ts";
import { listModels, verifyModel } from "../../src/adapters/models/local/models-folder.ts";
import { type FakeHub, REVISION, sendFrom, startFakeHub } from "../support/fake-hub.ts";
import { waitFor } from "../support/ingestion.ts";
import { graphFile, READER_PORTS } from "../support/onnx-graphs.ts";
import { FILES, ID, json, WEIGHTS, weights } from "../support/tiny-repository.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

describe("adding a model from a hub", () => {
  let hub: FakeHub;
  let modelsDir: string;
  let paused: number[];
  beforeEach(async () => {
    hub = await startFakeHub(ID, FILES);
    modelsDir = await mkdtemp(join(tmpdir(), "kcs-models-"));
    paused = [];
  });
  afterEach(async () => {
    await hub.close();
    await rm(modelsDir, { recursive: true, force: true });
  });

  const add = (over: Partial<HubSettings> = {}, options: Partial<AddOptions> = {}, id = ID) => {
    const settings: HubSettings = { endpoint: hub.url, token: null, offline: false, ...over };
    const wait = async (ms: number) => void paused.push(ms);
    const client = createHubClient(settings, { wait, silenceMs: 5_000 });
    return addModel(
      id,
      { modelsDir, hints: {}, revision: "main", onProgress: () => undefined, ...options },
      client,
    );
  };
  const fails = async (adding: Promise<unknown>, message: RegExp) => {
    await assert.rejects(adding, { name: "ModelFault", message });
    assert.deepEqual(await listModels(modelsDir), []);
  };
  const requestsFor = (path: string) => hub.requests.filter((request) => request.path.endsWith(path));

  test("downloads what it needs, records the hashes and shows the progress", async () => {
    const seen: number[] = [];
    const model = await add({}, { onProgress: ({ bytes, of }) => void seen.push(bytes / of) });
    assert.deepEqual(
      [model.id, model.task, model.dimensions, model.maxTokens, model.pooling],
      [ID, "embedding", 8, 64, "cls"],
    );
    assert.deepEqual(await readFile(join(modelsDir, ID, WEIGHTS)), FILES.get(WEIGHTS));
    const manifest = JSON.parse(await readFile(join(modelsDir, ID, "kcs-model.json"), "utf8"));
    assert.equal(manifest.revision, REVISION);
    assert.deepEqual(Object.keys(manifest.files).toSorted(), [
      "1_Pooling/config.json",
      "config.json",
      WEIGHTS,
      "tokenizer.json",
    ]);
    assert.equal(seen.at(-1), 1);
    assert.deepEqual(seen, seen.toSorted());
    assert.deepEqual(await listModels(modelsDir), [ID]);
    await assert.rejects(add(), /is in .* already/);
  });

  test("takes all graphs and tokenizers of a reader, which has no config.json", async () => {
    const config = {
      max_len: 24,
      relations_layer: "dot",
      labels_encoder: "tester/labels",
      encoder_config: null,
    };
    const files = new Map([
      ["gliner_config.json", json(config)],
      ["tokenizer.json", json({})],
      ["labels_encoder/tokenizer.json", json({})],
      ["labels_encoder/vocab.txt", Buffer.from("Not downloaded.")],
      ["onnx/labels_encoder.onnx", graphFile(READER_PORTS.labels)],
      ["onnx/relations.onnx", graphFile(READER_PORTS.relations)],
      [
        WEIGHTS,
        graphFile({ ...READER_PORTS.text, inputs: [...READER_PORTS.text.inputs, READER_PORTS.labelsInput] }),
      ],
    ]);
    const reader = await startFakeHub(ID, files);
    const model = await add({ endpoint: reader.url });
    await reader.close();
    assert.equal(model.task, "extraction");
    const graphs = [...files].filter(([path]) => path.endsWith(".onnx"));
    assert.equal(
      model.weightBytes,
      graphs.reduce((sum, [, bytes]) => sum + bytes.length, 0),
    );
    assert.deepEqual(
      (await verifyModel(model.folder)).map(({ path, state }) => `${path} ${state}`).toSorted(),
      [...files.keys()]
        .filter((path) => !path.endsWith(".txt"))
        .map((path) => `${path} intact`)
        .toSorted(),
    );
  });

  test("continues where a connection was cut, and begins again where the hub ignores ranges", async () => {
    let open: ServerResponse | null = null;
    let cuts = 0;
    hub.misbehave(({ path, range }, response) => {
      if (!path.endsWith(WEIGHTS) || cuts >= 2) return false;
      cuts++;
      const start = Number(/\d+/.exec(range ?? "0")?.[0]);
      response.writeHead(start === 0 ? 200 : 206, {
        "content-length": weights.length - start,
        "content-range": `bytes ${start}-${weights.length - 1}/${weights.length}`,
      });
      response.write(weights.subarray(start, start + 100_000));
      open = response;
      return true;
    });
    let base = 0;
    const cutAtHundredThousand: AddOptions["onProgress"] = ({ path, bytes }) => {
      if (path !== WEIGHTS) base = bytes;
      else if ((bytes - base) % 100_000 === 0) open?.destroy();
    };
    await add({}, { onProgress: cutAtHundredThousand });
    assert.deepEqual(
      requestsFor(WEIGHTS).map(({ range }) => range),
      [null, "bytes=100000-", "bytes=200000-"],
    );
    assert.deepEqual(paused, [1_000, 1_000]);
    assert.deepEqual(await readFile(join(modelsDir, ID, WEIGHTS)), weights);

    await rm(join(modelsDir, ID), { recursive: true });
    cuts = 0;
    hub.misbehave(({ path }, response) => {
      if (!path.endsWith(WEIGHTS)) return false;
      if (cuts++ === 0) {
        response.writeHead(200, { "content-length": weights.length });
        response.write(weights.subarray(0, 100_000), () => response.destroy());
      } else sendFrom(weights, { range: null, response });
      return true;
    });
    await add();
    assert.deepEqual(await readFile(join(modelsDir, ID, WEIGHTS)), weights);
  });

  test("gives up after five retries that bring nothing, keeps what is there and continues with it", async () => {
    hub.misbehave(({ path }, response) => {
      if (path.endsWith(WEIGHTS)) response.writeHead(503).end();
      return path.endsWith(WEIGHTS);
    });
    await fails(add(), /answered 503 .*the same command continues/s);
    assert.deepEqual(paused, [1_000, 2_000, 4_000, 8_000, 16_000]);
    const before = requestsFor("tokenizer.json").length;
    hub.misbehave(null);
    await add();
    assert.equal(requestsFor("tokenizer.json").length, before);
  });

  test("refuses and deletes a file with another hash than the listed one", async () => {
    hub.misbehave(({ path }, response) => {
      if (path.endsWith(WEIGHTS)) response.end(Buffer.alloc(weights.length));
      return path.endsWith(WEIGHTS);
    });
    await fails(add(), /onnx\/model\.onnx does not have the hash/);
    hub.misbehave(({ path }, response) => {
      if (path.endsWith("config.json")) response.end(Buffer.alloc(FILES.get("config.json")?.length ?? 0, 32));
      return path.endsWith("config.json");
    });
    await rm(join(modelsDir, ".unfinished"), { recursive: true });
    await fails(add(), /config\.json does not have the hash/);
    hub.misbehave(null);
    await add();
  });

  test("says what to do where the hub refuses, without the token in the text", async () => {
    hub.misbehave((_request, response) => {
      response.writeHead(401).end();
      return true;
    });
    await fails(add(), /answered 401 .*set HF_TOKEN/);
    const token = "hf_secret-of-the-operator";
    await assert.rejects(
      add({ token }),
      (error: Error) => /HF_TOKEN is not valid/.test(error.message) && !error.message.includes(token),
    );
    assert.equal(hub.requests.at(-1)?.authorization, `Bearer ${token}`);
    hub.misbehave(null);
    await fails(add({}, {}, "tester/other"), /The hub has no .*tester\/other/);
  });

  test("waits as long as the hub asks for, up to a minute", async () => {
    const answers = ["7", "100000"];
    hub.misbehave(({ path }, response) => {
      const seconds = path.startsWith("/api/") ? answers.shift() : undefined;
      if (seconds !== undefined) response.writeHead(429, { "retry-after": seconds }).end();
      return seconds !== undefined;
    });
    await add();
    assert.deepEqual(paused, [7_000, 60_000]);
  });

  test("does not begin without room on the disk", async () => {
    await fails(
      add({}, { freeBytes: async () => 256 * 1024 ** 2 + weights.length }),
      /has 0\.27 GB free; the model needs 0\.00 GB/,
    );
    assert.equal(requestsFor(WEIGHTS).length, 0);
  });

  test("says that the disk is full when it fills up on the way, and keeps what is there", async () => {
    const target = join(modelsDir, ".unfinished", `tester--tiny--${REVISION}`, WEIGHTS);
    await mkdir(dirname(target), { recursive: true });
    await symlink("/dev/full", target);
    await fails(add(), /The disk is full\. What was downloaded is kept/);
    assert.equal(requestsFor(WEIGHTS).length, 1);
    await rm(target);
    await add();
    assert.equal(requestsFor("tokenizer.json").length, 1);
  });

  test("follows the hub to its file server, which does not get the token", async () => {
    const server = await startFakeHub(ID, FILES);
    hub.misbehave(({ path }, response) => {
      if (path.endsWith(WEIGHTS))
        response.writeHead(302, { location: `${server.url}${path}?signed=1` }).end();
      return path.endsWith(WEIGHTS);
    });
    server.misbehave(({ range }, response) => {
      sendFrom(weights, { range, response });
      return true;
    });
    await add({ token: "hf_token-of-the-operator" });
    assert.equal(requestsFor(WEIGHTS)[0]?.authorization, "Bearer hf_token-of-the-operator");
    assert.deepEqual(
      server.requests.map(({ authorization }) => authorization),
      [null],
    );
    await server.close();
  });

  test("makes no request while offline", async () => {
    await fails(add({ offline: true }), /HF_HUB_OFFLINE is set/);
    assert.deepEqual(hub.requests, []);
  });

  test("takes no file that could leave the folder, is too large, or has no hash", async () => {
    for (const path of [
      "../../evil.onnx",
      "onnx/../../evil.onnx",
      "/evil.onnx",
      "onnx/..\\evil.onnx",
      "a\0.onnx",
    ]) {
      hub.list(WEIGHTS, { rfilename: path });
      await fails(add({}, { hints: { weights: path } }), /outside of its folder or with an odd name/);
    }
    hub.list(WEIGHTS, { size: 1e15 });
    await fails(add(), /has 1000000\.00 GB; at most/);
    hub.list(WEIGHTS, { lfs: null, blobId: null });
    await fails(add(), /does not list the length and the hash/);
    await fails(add({}, {}, "../tiny"), /neither a folder/);
    assert.equal(requestsFor(".onnx").length, 0);
  });

  test("reads no more bytes than listed, announced or not", async () => {
    hub.misbehave(({ path }, response) => {
      if (path.endsWith(WEIGHTS)) response.writeHead(200, { "content-length": 1e12 }).write("x");
      return path.endsWith(WEIGHTS);
    });
    await fails(add(), /sends more than the 300000 bytes/);
    hub.misbehave(({ path }, response) => {
      if (!path.endsWith(WEIGHTS)) return false;
      response.writeHead(200).end(Buffer.alloc(2 * weights.length));
      return true;
    });
    await fails(add(), /sends more than the 300000 bytes/);
  });

  test("is refused while another command adds the same model; the lock of one that ended is taken over", async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    let isHeld = true;
    hub.misbehave(({ path }, response) => {
      if (!path.endsWith(WEIGHTS) || !isHeld) return false;
      isHeld = false;
      asked.resolve(response);
      return true;
    });
    const first = add();
    const held = await asked.promise;
    const lock = join(modelsDir, ".unfinished/tester--tiny.lock");
    await fails(add(), /Another command is adding tester\/tiny\. Wait .*tester--tiny\.lock/);
    held.writeHead(200, { "content-length": weights.length }).end(weights);
    assert.equal((await first).id, ID);
    await assert.rejects(readFile(lock), { code: "ENOENT" });
    await rm(join(modelsDir, ID), { recursive: true });
    await writeFile(lock, "");
    await fails(add(), /Another command is adding/);
    // No process has this number.
    await writeFile(lock, String(2 ** 30));
    assert.equal((await add()).id, ID);
    await assert.rejects(readFile(lock), { code: "ENOENT" });
  });

  test("downloads through the proxy that Node is told to use", async () => {
    const asked: string[] = [];
    const proxy = createServer((message, response) => {
      // A request with the whole address of the hub, which no name server knows.
      const { host, pathname, search } = new URL(message.url ?? "");
      asked.push(host);
      request(hub.url + pathname + search, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      }).end();
    });
    proxy.on("connect", (message: IncomingMessage, socket: Socket) => {
      asked.push(message.url ?? "");
      const { port } = new URL(hub.url);
      const tunnel = connect(Number(port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connected\r\n\r\n");
        tunnel.pipe(socket).pipe(tunnel);
      });
      for (const side of [socket, tunnel]) side.on("error", () => side.destroy());
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo; // It listens on a port.
    const child = spawn(process.execPath, [MAIN, "models", "add", ID], {
      env: {
        ...{ PATH: process.env["PATH"], KCS_MODELS_DIR: modelsDir, HF_ENDPOINT: "http://hub.invalid" },
        ...{ NODE_USE_ENV_PROXY: "1", HTTP_PROXY: `http://127.0.0.1:${port}` },
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    assert.deepEqual(await once(child, "exit"), [0, null]);
    assert.deepEqual(await listModels(modelsDir), [ID]);
    assert.ok(asked.length > 0 && asked.every((host) => host.startsWith("hub.invalid")), String(asked));
    proxy.closeAllConnections();
    proxy.close();
  });

  test("continues after kill -9, and shows no half model meanwhile", async () => {
    let isHeld = true;
    hub.misbehave(({ path, range }, response) => {
      if (!path.endsWith(WEIGHTS) || !isHeld || range !== null) return false;
      response.writeHead(200, { "content-length": weights.length });
      response.write(weights.subarray(0, 200_000));
      return true;
    });
    const env = { PATH: process.env["PATH"], KCS_MODELS_DIR: modelsDir, HF_ENDPOINT: hub.url };
    const child = spawn(process.execPath, [MAIN, "models", "add", ID], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    const unfinished = join(modelsDir, ".unfinished", `tester--tiny--${REVISION}`, WEIGHTS);
    await waitFor("bytes on the disk", async () => {
      const bytes = await readFile(unfinished).catch(() => null);
      return bytes !== null && bytes.length === 200_000 ? true : null;
    });
    assert.deepEqual(await listModels(modelsDir), []);
    child.kill("SIGKILL");
    await once(child, "exit");
    isHeld = false;
    await add();
    assert.equal(requestsFor(WEIGHTS).at(-1)?.range, "bytes=200000-");
    assert.deepEqual(await readFile(join(modelsDir, ID, WEIGHTS)), weights);
  });
});
