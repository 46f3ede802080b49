import { messageOf } from "../api/fault.ts";
import { Notice } from "./notice.tsx";

/** Shows the message of an error; renders nothing without an error. */
export function FaultNotice({ error }: { readonly error: unknown }) {
  return error === null || error === undefined ? null : <Notice kind="bad">{messageOf(error)}</Notice>;
}
