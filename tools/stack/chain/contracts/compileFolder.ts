/** Program of a thread: compiles the contracts of the folder that it receives into the cache. */
import { workerData } from 'node:worker_threads'
import { compileContracts } from './compileContracts.ts'

compileContracts(workerData)
