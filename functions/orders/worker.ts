/** Entry point of workerd: the routes, with signers recovered by WebAssembly. Node imports no WebAssembly by name. */
import secp256k1 from '@bitauth/libauth/build/lib/bin/secp256k1/secp256k1.wasm'
import { createOrdersWorker } from './createOrdersWorker.ts'
import { createKeyRecovery } from './recovery/createKeyRecovery.ts'

export default createOrdersWorker(createKeyRecovery(secp256k1, (entry) => console.error(JSON.stringify(entry))))
