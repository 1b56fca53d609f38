import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hostileCode } from '#test/helpers/chain/hostileCode.ts'
import { nodeErrors } from '#test/helpers/chain/nodeErrors.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { connectChain } from '../connectChain.ts'
import { isContractFault } from './isContractFault.ts'

const target: Address = '0x1271000000000000000000000000000000000001'
let server: Server | undefined

afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** The error of a call to a node that responds with `body`. */
const failWith = async (status: number, body: string): Promise<unknown> => {
  server = createServer((_, response) => {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return callOf(url)
}
const callOf = (url: string, gas = 1_000_000n): Promise<unknown> =>
  connectChain(url)
    .call({ to: target, data: '0x12345678', gas })
    .then(
      () => undefined,
      (error: unknown) => error,
    )

describe('isContractFault', () => {
  test.each(nodeErrors)('$node, $status, $error.code, "$error.message": the fault of the $fault', async (vector) => {
    const error = await failWith(vector.status, JSON.stringify({ jsonrpc: '2.0', id: 1, error: vector.error }))
    expect(error).toBeInstanceOf(Error)
    expect(isContractFault(error)).toBe(vector.fault === 'contract')
  })

  test.each(nodeErrors.filter(({ fault }) => fault === 'node'))(
    'a revert with the reason "$error.message" is the fault of the contract',
    async ({ error: { message } }) => {
      const error = { code: -32_000, message: `execution reverted: ${message}` }
      const failed = await failWith(200, JSON.stringify({ jsonrpc: '2.0', id: 1, error }))
      expect(isContractFault(failed)).toBe(true)
    },
  )

  test.each([
    ['a page', 200, '<html>'],
    ['a page with an error status', 500, '<html>execution reverted</html>'],
    ['a text that names a revert', 404, 'execution reverted'],
    ['nothing', 503, ''],
  ])('a node that responds with %s is at fault', async (_, status, body) => {
    expect(isContractFault(await failWith(status, body))).toBe(false)
  })

  test('a node that cannot be reached is at fault', async () => {
    expect(isContractFault(await callOf('http://127.0.0.1:9'))).toBe(false)
  })

  test('a response of more than ten megabytes is the fault of the contract', async () => {
    const error = await failWith(200, `{"jsonrpc":"2.0","id":1,"result":"0x${'00'.repeat(5_500_000)}"}`)
    expect(isContractFault(error)).toBe(true)
  })
})

describe('with the responses of a real node', () => {
  let chain: TestChain
  beforeAll(async () => {
    chain = await startTestChain()
  })
  afterAll(() => chain?.stop())

  test.each(Object.entries(hostileCode))('"%s" is the fault of the contract if the call fails', async (_, bytecode) => {
    await chain.chain.setCode({ address: target, bytecode })
    const error = await callOf(chain.rpcUrl)
    if (error !== undefined) expect(isContractFault(error)).toBe(true)
  })

  test('at least the exceptional halts fail', async () => {
    for (const name of [
      'invalid opcode',
      'undefined opcode',
      'bad jump',
      'stack underflow',
      'infinite loop',
    ] as const) {
      await chain.chain.setCode({ address: target, bytecode: hostileCode[name] })
      expect(await callOf(chain.rpcUrl)).toBeInstanceOf(Error)
    }
  })
})
