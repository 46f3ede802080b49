/** What the SDK exports, read with the compiler's own API: types as it infers them, and their comments. */
import { join, resolve } from "node:path";
import { isFunctionDeclaration, isIdentifier } from "typescript/unstable/ast/is";
import {
  API,
  NodeBuilderFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Type,
  type Symbol as TypeSymbol,
} from "typescript/unstable/sync";
import { signatureText } from "./signature-text.ts";

const sdk = resolve(import.meta.dirname, "../../packages/sdk");
const files = { "@kcs/sdk": "index.ts", "@kcs/sdk/langchain": "langchain.ts", "@kcs/sdk/ai": "ai.ts" };

export interface Documented {
  readonly name: string;
  /** TypeScript, without a line break at the end. */
  readonly code: string;
  /** Markdown; "" without a comment. */
  readonly text: string;
}

export interface Declaration extends Documented {
  readonly kind: "function" | "class" | "type";
}

export interface MethodGroup {
  /** As in `kcs.documents`; "" for methods of the client itself. */
  readonly name: string;
  readonly methods: readonly Documented[];
}

export interface EntryPoint {
  /** As it is imported. */
  readonly name: string;
  /** By name. */
  readonly declarations: readonly Declaration[];
}

export interface SdkTypes {
  readonly groups: readonly MethodGroup[];
  readonly entryPoints: readonly EntryPoint[];
}

export function readSdkTypes(): SdkTypes {
  const api = new API({ cwd: sdk });
  try {
    const snapshot = api.updateSnapshot({ openProject: join(sdk, "tsconfig.build.json") });
    const [project] = snapshot.getProjects();
    if (project === undefined) throw new Error("The compiler has not opened the SDK's project.");
    const reader = createReader(project);
    return {
      groups: readMethods(reader),
      entryPoints: Object.entries(files).map(([name, file]) => ({
        name,
        declarations: reader.exportsOf(file).map((symbol) => readDeclaration(reader, symbol)),
      })),
    };
  } finally {
    api.close();
  }
}

interface Reader {
  readonly project: Project;
  /** By name. */
  exportsOf(file: string): readonly TypeSymbol[];
  typeOf(symbol: TypeSymbol): Type;
  textOf(type: Type): string;
}

function createReader(project: Project): Reader {
  const { checker, program } = project;
  const exportsOf = (file: string) => {
    const source = program.getSourceFile(join(sdk, "src", file));
    const module = source && checker.getSymbolAtLocation(source);
    if (module === undefined) throw new Error(`The compiler does not know ${file} of the SDK.`);
    return checker
      .getExportsOfModule(module)
      .map((symbol) => (symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  };
  const expanded = (type: Type) => checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation);
  // The compiler forgets the names of types like `ProjectList["projects"][number]`.
  const aliases = exportsOf("index.ts")
    .filter((symbol) => symbol.flags & SymbolFlags.TypeAlias)
    .map((symbol) => ({ name: symbol.name, text: expanded(checker.getDeclaredTypeOfSymbol(symbol)) }))
    .filter(({ name, text }) => text.startsWith("{") && text !== name)
    .sort((a, b) => b.text.length - a.text.length);
  return {
    project,
    exportsOf,
    typeOf(symbol) {
      const type = checker.getTypeOfSymbol(symbol);
      if (type === undefined) throw new Error(`${symbol.name} of the SDK has no type.`);
      return type;
    },
    textOf: (type) =>
      aliases.reduce((text, alias) => text.replaceAll(alias.text, alias.name), expanded(type)),
  };
}

function readDeclaration(reader: Reader, symbol: TypeSymbol): Declaration {
  const { name } = symbol;
  const text = commentOf(reader, symbol);
  if (symbol.flags & SymbolFlags.Function) {
    return { kind: "function", name, text, code: `function ${functionCode(reader, symbol)}` };
  }
  if (symbol.flags & SymbolFlags.Class) return { kind: "class", name, text, code: classCode(reader, symbol) };
  return {
    kind: "type",
    name,
    text,
    code: sourceOf(reader, symbol)
      .getText()
      .replace(/^export /, ""),
  };
}

/** The parameters as they are written, and the result's type as it is written or as the compiler infers it. */
function functionCode(reader: Reader, symbol: TypeSymbol): string {
  const node = sourceOf(reader, symbol);
  if (!isFunctionDeclaration(node)) throw new Error(`${symbol.name} of the SDK is not a function.`);
  const parameters = node.parameters.map((parameter) => {
    const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
    const name = isIdentifier(parameter.name) ? parameter.name.getText() : "options";
    return `${name}${isOptional ? "?" : ""}: ${parameter.type?.getText() ?? "unknown"}`;
  });
  const type = reader.typeOf(symbol);
  const [signature] = reader.project.checker.getSignaturesOfType(type, SignatureKind.Call);
  const inferred = signature && reader.project.checker.getReturnTypeOfSignature(signature);
  const result = node.type?.getText() ?? (inferred === undefined ? "unknown" : reader.textOf(inferred));
  const typeParameters = node.typeParameters?.map((parameter) => parameter.getText()).join(", ");
  const head = typeParameters === undefined ? symbol.name : `${symbol.name}<${typeParameters}>`;
  return `${head}(${parameters.join(", ")}): ${result}`;
}

function classCode(reader: Reader, symbol: TypeSymbol): string {
  const head =
    /^export (class [^{]+) \{/.exec(sourceOf(reader, symbol).getText())?.[1] ?? `class ${symbol.name}`;
  const properties = [...symbol.getMembers().values()]
    .filter((member) => member.flags & SymbolFlags.Property && member.name !== "name")
    .map((member) => {
      const comment = commentOf(reader, member);
      const code = `  readonly ${member.name}: ${reader.textOf(reader.typeOf(member))};`;
      return comment === "" ? code : `  /** ${comment} */\n${code}`;
    });
  return properties.length === 0 ? head : `${head} {\n${properties.join("\n")}\n}`;
}

function sourceOf({ project }: Reader, symbol: TypeSymbol) {
  const node = symbol.declarations[0]?.resolve(project);
  if (node === undefined) throw new Error(`${symbol.name} of the SDK has no declaration.`);
  return node;
}

function readMethods(reader: Reader): readonly MethodGroup[] {
  const { checker } = reader.project;
  const client = reader.exportsOf("index.ts").find(({ name }) => name === "Client");
  if (client === undefined) throw new Error("The SDK does not export Client.");
  const own: Documented[] = [];
  const groups: MethodGroup[] = [];
  for (const member of checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(client))) {
    const type = reader.typeOf(member);
    if (checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) {
      own.push(readMethod(reader, "kcs", member));
    } else {
      const methods = checker.getPropertiesOfType(type);
      groups.push({
        name: member.name,
        methods: methods.map((method) => readMethod(reader, `kcs.${member.name}`, method)),
      });
    }
  }
  return [...groups, { name: "", methods: own }];
}

function readMethod(reader: Reader, owner: string, symbol: TypeSymbol): Documented {
  const name = `${owner}.${symbol.name}`;
  return {
    name,
    code: signatureText(name, reader.textOf(reader.typeOf(symbol))),
    text: commentOf(reader, symbol),
  };
}

/** A comment and its `@param` tags. A member that is written `{ list }` has the comment of the variable. */
function commentOf({ project }: Reader, symbol: TypeSymbol): string {
  const { checker } = project;
  const [declaration] = symbol.declarations;
  // The comment at the head of this file is about the file; its types have none.
  if (declaration === undefined || declaration.path.endsWith("/wire.ts")) return "";
  const node = declaration.resolve(project);
  const variable = node && checker.getShorthandAssignmentValueSymbol(node);
  const own = checker.getDocumentationCommentOfSymbol(symbol);
  const text = own === "" && variable ? checker.getDocumentationCommentOfSymbol(variable) : own;
  const parameters = checker
    .getJsDocTagsOfSymbol(symbol)
    .filter((tag) => tag.name === "param")
    .map((tag) => (tag.text ?? "").replace(/^(\S+) /, "- `$1`: "));
  return [text, parameters.join("\n")].filter((part) => part !== "").join("\n\n");
}
