import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript'
import { createGateway } from '../../functions/gateway/createGateway.ts'
import { describedSharedWorkers, describedWorkers } from '../../tools/workers/describedWorkers.ts'

/** Beside the client that uses them; not in the repository, so that they are never older than the routes. */
const file = join(import.meta.dirname, '../api/openapi.d.ts')

/** `/openapi.json` as deployed, generated without a running stack. */
const findDocument = async (): Promise<OpenAPI3> => {
  const gateway = createGateway({
    workers: { sepolia: describedWorkers },
    sharedWorkers: describedSharedWorkers,
    version: 'development',
    log: () => undefined,
  })
  const response = await gateway(new Request('http://edgebook.local/openapi.json'))
  if (!response.ok) throw new Error(`/openapi.json responded with ${response.status}: ${await response.text()}`)
  return (await response.json()) as OpenAPI3
}

const text = COMMENT_HEADER + astToString(await openapiTS(await findDocument()))
if ((await readFile(file, 'utf8').catch(() => '')) !== text) await writeFile(file, text)
