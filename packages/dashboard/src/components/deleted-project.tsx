/** "prj_" and eight of the digits behind it: enough to tell projects of an account apart. */
const shortCharacters = 12;

/** A project that is no longer there, of which only the id is known. */
export function DeletedProject({ id }: { readonly id: string }) {
  return (
    <span>
      Deleted project <code title={id}>{id.slice(0, shortCharacters)}</code>
    </span>
  );
}
