import { recoverPublicKey } from '#shared/signing/recoverPublicKey.ts'
import { createOrdersWorker } from './createOrdersWorker.ts'

export default createOrdersWorker(recoverPublicKey)
