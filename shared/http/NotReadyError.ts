/** Why a dependency is not ready, in one line for everyone: `/readyz` shows the message of this error and of no other. */
export class NotReadyError extends Error {
  override name = 'NotReadyError'
}
