import { messageOf } from "../api/fault.ts";
import { Notice } from "./notice.tsx";

/** Why something was not done, in the service's words; nothing while there is no error. */
export function FaultNotice({ error }: { readonly error: unknown }) {
  return error === null || error === undefined ? null : <Notice kind="bad">{messageOf(error)}</Notice>;
}
