import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import type { Stack } from '#tools/stack/startStack.ts'
import { startTestStack } from './testStack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL that returns the facts of the shared stack */
    sharedStackUrl: string
  }
}

/**
 * Global setup: one stack for all test files that call `useSharedStack`. It starts with the first call and stops after
 * the last file.
 * @returns the teardown; it throws when a response deviated from the OpenAPI document
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  let starting: Promise<Stack> | undefined
  const server = createServer(async (_, response) => {
    starting ??= startTestStack()
    try {
      response.end(JSON.stringify((await starting).info))
    } catch (error) {
      response.statusCode = 500
      response.end(String(error))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  project.provide('sharedStackUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return async () => {
    server.close()
    server.closeAllConnections()
    const stack = await starting?.catch(() => undefined)
    await stack?.stop()
  }
}
