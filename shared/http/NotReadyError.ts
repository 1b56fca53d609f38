/** A dependency that is not ready. The message is public: `/readyz` shows it, unlike the message of any other error. */
export class NotReadyError extends Error {
  override name = 'NotReadyError'
}
