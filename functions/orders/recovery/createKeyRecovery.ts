import { describeError } from '#shared/http/describeError.ts'
import { type RecoverPublicKey, recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { instantiateRecovery } from './instantiateRecovery.ts'

/**
 * Recovery by WebAssembly, instantiated by the first call; in JavaScript from the first failure on.
 * @param log called once, with the failure
 */
export const createKeyRecovery = (
  module: WebAssembly.Module,
  log: (entry: { message: string; cause: string }) => void,
): RecoverPublicKey => {
  let recover: RecoverPublicKey | undefined
  return (digest, signature) => {
    try {
      recover ??= instantiateRecovery(module)
      return recover(digest, signature)
    } catch (error) {
      if (recover === recoverPublicKey) throw error
      recover = recoverPublicKey
      log({ message: 'signers are recovered in JavaScript', cause: describeError(error) })
      return recover(digest, signature)
    }
  }
}
