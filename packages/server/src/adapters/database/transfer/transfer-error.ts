/** Why an export or an import was refused; its message is for the operator. */
export class TransferError extends Error {
  override readonly name = "TransferError";
}
