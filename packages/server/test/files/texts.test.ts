/** What becomes of files that are texts: pages, messages, tables, JSON, and texts in any encoding. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { convertText } from "./convert.ts";

describe("HTML", () => {
  test("keeps headings, lists, tables and code, and leaves out what surrounds the text", async () => {
    const html = `<!DOCTYPE html><html><head><title>Boats &amp; oars</title><meta name="date" content="2021-03-04">
      <style>p { color: red }</style></head><body><nav><a href="/">Home</a></nav><h1>Boats <a class="headerlink" href="#b">¶</a></h1>
      <p>Two <b>old</b>
      boats.</p><ol start="3"><li>Oars<ul><li>Spare</li></ul></li><li><p>Ropes</p><p>Long ones</p></li></ol>
      <table><thead><tr><th rowspan="2">Boat</th><th colspan="2">Size</th></tr><tr><th>m</th><th>Seats</th></tr></thead>
      <tbody><tr><td rowspan="2">Nixe</td><td>9</td><td>4</td></tr><tr><td>8</td><td>2</td></tr></tbody></table>
      <pre>row(
  4)</pre><p hidden>Secret</p><script>alert(1)</script><footer>Imprint</footer></body></html>`;
    const { text, title, date, mediaType } = await convertText(html, "upload.bin");
    assert.equal(
      text,
      "# Boats\n\nTwo old boats.\n\n3. Oars\n  - Spare\n4. Ropes\n  Long ones\n\n" +
        "| Boat | Size m | Seats |\n| --- | --- | --- |\n| Nixe | 9 | 4 |\n| Nixe | 8 | 2 |\n\n```\nrow(\n  4)\n```",
    );
    assert.deepEqual([title, date, mediaType], ["Boats & oars", "2021-03-04", "text/html"]);
  });

  test("of a page with a declared main part only that is read", async () => {
    const html = "<html><body><div>Menu</div><main><p>Boats</p></main><div>Advertisement</div></body></html>";
    assert.equal((await convertText(html)).text, "Boats");
  });

  test("tables that arrange a page are not tables", async () => {
    const html =
      "<html><table><tr><td><p>Left</p></td><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table></html>";
    assert.equal((await convertText(html)).text, "Left\n\n| a | b |\n| --- | --- |");
  });

  test("the declared encoding counts, unless the bytes say otherwise", async () => {
    const page = (charset: string) => `<html><meta charset="${charset}"><p>Zürich</p></html>`;
    const latin = Buffer.from(page("iso-8859-1"), "latin1");
    assert.equal((await convertText(latin)).text, "Zürich");
    assert.equal((await convertText(Buffer.from(page("utf-16"), "utf8"))).text, "Zürich");
  });
});

describe("e-mail", () => {
  test("that has parts within parts without an end is not called damaged", async () => {
    const part = (depth: number): string =>
      depth === 0
        ? "Content-Type: text/plain\r\n\r\nDeep.\r\n"
        : `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n${part(depth - 1)}--b${depth}--\r\n`;
    const mail = (depth: number) => `Subject: Tides\r\nFrom: a@b.example\r\n${part(depth)}`;
    assert.match((await convertText(mail(20))).text, /Deep\.$/);
    await assert.rejects(
      convertText(mail(40)),
      /^UnreadableFile: The message has more than 32 parts within parts\.$/,
    );
  });

  test("that has messages within messages without an end is refused", async () => {
    const mail = (depth: number): string =>
      depth === 0
        ? "Subject: Inner\r\nFrom: a@b.example\r\n\r\nDeep.\r\n"
        : `Subject: Tides\r\nFrom: a@b.example\r\nContent-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\nContent-Type: message/rfc822\r\n\r\n${mail(depth - 1)}\r\n--b${depth}--\r\n`;
    assert.match((await convertText(mail(20))).text, /Deep\.$/);
    await assert.rejects(convertText(mail(40)), /more than 32 parts within parts\.$/);
  });

  test("that has very many parts is not said to have a part with a long header", async () => {
    const part =
      "--x\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\nA\r\n";
    const mail = `Subject: Tides\r\nFrom: a@b.example\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n${part.repeat(13_000)}--x--\r\n`;
    await assert.rejects(
      convertText(mail),
      /^UnreadableFile: The headers of the message and its parts have more than 1048576 bytes together\.$/,
    );
  });

  const headers =
    "From: =?utf-8?Q?J=C3=BCrg?= <j@example.org>\r\nTo: a@example.org, B <b@example.org>\r\nSubject: The boats\r\nDate: Thu, 4 Mar 2021 12:00:00 +0000\r\nMIME-Version: 1.0\r\n";
  const shown =
    "# The boats\n\n- From: Jürg <j@example.org>\n- To: a@example.org, B <b@example.org>\n- Date: 2021-03-04 12:00 UTC\n\n";

  test("tells who wrote to whom and when, its text and the names of its attachments", async () => {
    const mail = `${headers}Content-Type: multipart/mixed; boundary=X\r\n\r\n--X\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe boats are in Z=FCrich.\r\n--X\r\nContent-Type: text/csv\r\nContent-Disposition: attachment; filename=boats.csv\r\n\r\na,b\r\n--X--\r\n`;
    const { text, title, date, mediaType } = await convertText(mail, "message.txt");
    assert.equal(text, `${shown}The boats are in Zürich.\n\nAttachments: boats.csv`);
    assert.deepEqual([title, date, mediaType], ["The boats", "2021-03-04T12:00:00.000Z", "message/rfc822"]);
  });

  test("has the messages in it after its text, with their dates in UTC", async () => {
    const part = (type: string, content: string) => `--X\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`;
    const inner =
      "From: c@example.org\r\nSubject: Inner\r\nDate: Mon, 1 Jan 1990 23:30:00 -0500\r\n\r\nThe sluice was opened.";
    const mail = `${headers}Content-Type: multipart/mixed; boundary=X\r\n\r\n${part("text/plain", "See below.")}${part("message/rfc822", inner)}--X--\r\n`;
    const inline = mail.replace("message/rfc822\r\n", "message/rfc822\r\nContent-Disposition: inline\r\n");
    assert.equal((await convertText(inline)).text, (await convertText(mail)).text);
    const report = mail.replace("multipart/mixed", "multipart/report");
    assert.doesNotMatch((await convertText(report)).text, /sluice/);
    const { text, title } = await convertText(mail);
    assert.equal(
      text,
      `${shown}See below.\n\n## Inner\n\n- From: c@example.org\n- Date: 1990-01-02 04:30 UTC\n\nThe sluice was opened.`,
    );
    assert.equal(title, "The boats");
  });

  test("of HTML alone the structure is kept", async () => {
    const mail = `${headers}Content-Type: text/html\r\n\r\n<ul><li>Oars<li>Ropes</ul>`;
    assert.equal(
      (await convertText(mail)).text,
      `${shown}- Oars\n- Ropes`.replace("UTC\n\n- Oars", "UTC\n- Oars"),
    );
  });

  test("one without a date is recognised, and one whose sender comes after long signatures; dates are in UTC", async () => {
    const mail =
      "From: a@example.org\r\nSubject: =?iso-8859-1?Q?Gr=F6=DFe?=\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nDie Br=FCcke ist 5=20=\r\nm lang.\r\n";
    const shown = "# Größe\n\n- From: a@example.org\n\nDie Brücke ist 5 m lang.";
    assert.equal((await convertText(mail)).text, shown);
    const sealed = `ARC-Seal: ${"b".repeat(9_000)}\r\nDate: Mon, 3 May 2021 10:00:00 +0200\r\n${mail}`;
    assert.equal(
      (await convertText(sealed)).text,
      shown.replace("\n\nDie", "\n- Date: 2021-05-03 08:00 UTC\n\nDie"),
    );
  });

  test("a text that begins with a word and a colon is no message", async () => {
    assert.equal((await convertText("From: the boats\nTo: the lake\n\nWe rowed.")).mediaType, "text/plain");
  });
});

describe("tables", () => {
  const expected = '| Boat | Seats |\n| --- | --- |\n| Nixe, the "old" | 4 |\n| Undine next to it | 8 |';
  test("a first line that tells Excel what is between fields is no row", async () => {
    for (const text of ["sep=;\r\nBoat;Seats\r\nNixe;4\r\n", "\ufeffSEP=|\nBoat|Seats\nNixe|4\n"])
      assert.equal(
        (await convertText(text, "boats.csv")).text,
        "| Boat | Seats |\n| --- | --- |\n| Nixe | 4 |",
      );
  });

  for (const [name, delimiter] of [
    ["boats.csv", ","],
    ["boats.csv", ";"],
    ["boats.tsv", "\t"],
    ["boats.CSV", "|"],
  ] as const) {
    test(`${name} with ${JSON.stringify(delimiter)} between fields`, async () => {
      const text = `Boat${delimiter}Seats\r\n"Nixe, the ""old"""${delimiter}4\r\n"Undine\nnext to it"${delimiter}8\r\n`;
      assert.equal((await convertText(`\ufeff${text}`, name)).text, expected);
    });
  }
});

describe("JSON", () => {
  test("a list of equal objects is a table", async () => {
    const { text, mediaType } = await convertText('[{"boat":"Nixe","seats":4},{"boat":"Undine","old":true}]');
    assert.equal(text, "| boat | seats | old |\n| --- | --- | --- |\n| Nixe | 4 |  |\n| Undine |  | true |");
    assert.equal(mediaType, "application/json");
  });

  test("other values are nested lists", async () => {
    const value = {
      name: "Club",
      boats: [{ name: "Nixe", oars: [1, 2], house: { by: "lake" } }],
      tags: ["a", "b"],
    };
    assert.equal(
      (await convertText(JSON.stringify(value))).text,
      "- name: Club\n- boats:\n  - name: Nixe\n    - oars: 1, 2\n    - house:\n      - by: lake\n- tags: a, b",
    );
  });

  test("lines of JSON are records", async () => {
    const { text, mediaType } = await convertText(
      '{"boat":"Nixe","seats":4}\n{"boat":"Undine","seats":8}\n',
      "x",
    );
    assert.equal(text, "| boat | seats |\n| --- | --- |\n| Nixe | 4 |\n| Undine | 8 |");
    assert.equal(mediaType, "application/jsonl");
  });

  test("a file that is named so and is not says where", async () => {
    await assert.rejects(convertText('{"boat": Nixe}', "boats.json"), /not valid JSON: Unexpected token 'N'/);
  });
});

describe("plain text", () => {
  test("Markdown stays as it is, with its first heading as title", async () => {
    const text = '---\ntitle: "Boats"\n---\n# Fleet\n\n| a | b |\n|---|---|\n| 1 | 2 |';
    const converted = await convertText(text, "boats.md");
    assert.equal(converted.text, text);
    assert.deepEqual([converted.title, converted.mediaType], ["Boats", "text/markdown"]);
    assert.equal((await convertText("# Fleet\n\nNixe", "fleet.md")).title, "Fleet");
  });

  test("what looks like a ZIP file or a page by its name is a text", async () => {
    const { text, mediaType } = await convertText("The boats are old.", "boats.pdf");
    assert.deepEqual([text, mediaType], ["The boats are old.", "text/plain"]);
  });

  const unicode = "Zürich by the lake";
  const marked: readonly (readonly [encoding: string, bytes: Buffer])[] = [
    ["UTF-8", Buffer.from(unicode)],
    ["UTF-8 with mark", Buffer.from(`\ufeff${unicode}`)],
    ["UTF-16 little-endian with mark", Buffer.from(`\ufeff${unicode}`, "utf16le")],
    ["UTF-16 big-endian with mark", Buffer.from(`\ufeff${unicode}`, "utf16le").swap16()],
    ["UTF-16 little-endian", Buffer.from(unicode, "utf16le")],
    ["UTF-16 big-endian", Buffer.from(unicode, "utf16le").swap16()],
  ];
  for (const [encoding, bytes] of marked) {
    test(`in ${encoding}`, async () => {
      assert.equal((await convertText(bytes, "boats.txt")).text, unicode);
    });
  }

  test("in UTF-8, when it speaks of another encoding", async () => {
    const text = 'Zürich: write <meta charset="iso-8859-1"> there.';
    assert.equal((await convertText(text, "boats.txt")).text, text);
  });

  test("numbers with zeros in between are no text", async () => {
    const samples = Buffer.from(Uint16Array.from({ length: 1_000 }, (_, at) => (at * 7) % 60).buffer);
    await assert.rejects(convertText(samples), /type of the file is not known/);
  });

  /** The bytes, in Base64, of a text in an encoding. */
  const samples: readonly (readonly [encoding: string, base64: string, text: string])[] = [
    [
      "windows-1250",
      "o/Nka2kga2x1YnUgc3RvarkgcHJ6ZXogY2GzZSBsYXRvIG5hZCBqZXppb3JlbS4gQ3qzb25rb3dpZSB3aW9zs3VquSB3IGthv2S5IG5pZWR6aWVs6iwgdGFrv2Ugd3RlZHksIGdkeSCcd2llY2kgc7Nv8WNlLg==",
      "Łódki klubu stoją przez całe lato nad jeziorem. Członkowie wiosłują w każdą niedzielę, także wtedy, gdy świeci słońce.",
    ],
    [
      "ISO-8859-2",
      "TG9k7CBrbHVidSBsZb7tIGNlbOkgbOl0byB1IGplemVyYS4gyGxlbm926SB2ZXNsdWrtIGthvmRvdSBuZWTsbGksIGkga2R5viBwcrntLCBhIHZl6GVyIHNlIHNjaOF6ZWrtIHYgbG9k7G5pY2ku",
      "Lodě klubu leží celé léto u jezera. Členové veslují každou neděli, i když prší, a večer se scházejí v loděnici.",
    ],
    [
      "windows-1251",
      "y+7k6ugg6uvz4eAg4vG4IOvl8u4g8fLu//Ig8yDu5+Xw4C4g1+vl7fsg6uvz4eAg4/Dl4fPyIOrg5uTu5SDi7vHq8OXx5e385Swg5ODm5SDq7uPk4CDo5LjyIOTu5uT8Lg==",
      "Лодки клуба всё лето стоят у озера. Члены клуба гребут каждое воскресенье, даже когда идёт дождь.",
    ],
    [
      "KOI8-R",
      "7M/Ey8kgy8zVwsEg19OjIMzF1M8g09TP0dQg1SDP2sXSwS4g/szFztkgy8zVwsEgx9LFwtXUIMvB1sTPxSDXz9PL0sXTxc7YxSwgxMHWxSDLz8fEwSDJxKPUIMTP1sTYLg==",
      "Лодки клуба всё лето стоят у озера. Члены клуба гребут каждое воскресенье, даже когда идёт дождь.",
    ],
    [
      "windows-1253",
      "1OEg8+rc9ucg9O/1IO/s3+vv9SDi8d/z6u/t9OHpIPzr7yD07yDq4evv6uHf8ekg5N/w6+Eg8/TnIOvf7O3nLiDU4SDs3evnIOr58Ofr4fTv/e0g6tzo5SDK9fHp4ereLg==",
      "Τα σκάφη του ομίλου βρίσκονται όλο το καλοκαίρι δίπλα στη λίμνη. Τα μέλη κωπηλατούν κάθε Κυριακή.",
    ],
    [
      "Shift_JIS",
      "g06DiYN1gsyDe4Fbg2eCzYnEgsyK1IK4gsGCxozOgsyC2YLGguiCyYKgguiC3IK3gUKJ74j1gs2WiI9Uk/qXapP6gsmRhoKsgtyCt4FCiUqCzJP6gsWC4JGGgqyC3IK3gUI=",
      "クラブのボートは夏の間ずっと湖のほとりにあります。会員は毎週日曜日に漕ぎます。雨の日でも漕ぎます。",
    ],
    [
      "EUC-JP",
      "pa+l6aXWpM6l3KG8pcikz7LGpM601qS6pMOkyLjQpM6k26TIpOqky6SipOqk3qS5oaOy8bD3pM/L6L21xvzNy8b8pMvB5qSupN6kuaGjsaukzsb8pMek4sHmpK6k3qS5oaM=",
      "クラブのボートは夏の間ずっと湖のほとりにあります。会員は毎週日曜日に漕ぎます。雨の日でも漕ぎます。",
    ],
    [
      "ISO-2022-JP",
      "GyRCJS8laSVWJE4lXCE8JUgkTzJGJE40ViQ6JEMkSDhQJE4kWyRIJGokSyQiJGokXiQ5ISMbKEI=",
      "クラブのボートは夏の間ずっと湖のほとりにあります。",
    ],
    [
      "GB18030",
      "vuPA1rK/tcS0rNX7uPbPxMzstrzNo9Tauv6x36Gju+HUscPHw7+49tDHxtrM7La8yKW7rrSso6zPwtPqzOzSsrK7wP3N4qGj",
      "俱乐部的船整个夏天都停在湖边。会员们每个星期天都去划船，下雨天也不例外。",
    ],
    [
      "Big5",
      "rdG81rOhqrqy7r7jrdOuTKTRs6OwsaZitPLD5KFDt3yt+63MqEOt06xQtMGk0bOjpWimRbLuoUGkVatCpNGkXaSjqNKlfqFD",
      "俱樂部的船整個夏天都停在湖邊。會員們每個星期天都去划船，下雨天也不例外。",
    ],
    [
      "EUC-KR",
      "xay3tMDHILq4xq60wiC/qbinILO7s7sgyKO8/bChv6EgwNa9wLTPtNkuIMi4v/i16cC6ILrxsKEgv821tSC4xcHWIMDPv+TAz7+hILPruKYgwaO9wLTPtNku",
      "클럽의 보트는 여름 내내 호숫가에 있습니다. 회원들은 비가 와도 매주 일요일에 노를 젓습니다.",
    ],
    [
      "windows-1252",
      "RGllIHNjaPZuZW4gQm9vdGUgZGVzIFZlcmVpbnMgbGllZ2VuIGRlbiBnYW56ZW4gU29tbWVyIPxiZXIgYW0gWvxyaWNoc2VlLiCEUnVkZXJukyBtYWNodCBt/GRlIJYgYWJlciBmcvZobGljaC4=",
      "Die schönen Boote des Vereins liegen den ganzen Sommer über am Zürichsee. „Rudern“ macht müde – aber fröhlich.",
    ],
    [
      "windows-1254",
      "S3Vs/GL8biB0ZWtuZWxlcmkgYvx0/G4geWF6IGf2bCBr/Xn9c/1uZGEgZHVydXlvci4g3HllbGVyIGhlciBwYXphciBn/G78IHlh8G11cmRhIGJpbGUga/xyZWsg52VraXlvcmxhci4=",
      "Kulübün tekneleri bütün yaz göl kıyısında duruyor. Üyeler her pazar günü yağmurda bile kürek çekiyorlar.",
    ],
  ];
  for (const [encoding, base64, expected] of samples) {
    test(`in ${encoding}`, async () => {
      assert.equal((await convertText(Buffer.from(base64, "base64"), "boats.txt")).text, expected);
    });
  }
});
