import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Hex, parseEther, type TypedDataDefinition, zeroAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import { waitForStatus } from '#tools/demo/swap.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { readEvents } from '../helpers/http/readEvents.ts'
import { startBareTestStack } from '../helpers/stack/testStack.ts'

const timeoutMs = 5_000

/** A driver that never responds, and its open requests. */
const waiting = new Set<object>()
const silentSolver = createServer((request, response) => {
  if (!request.url?.includes('kind=sell')) return
  waiting.add(response)
  response.once('close', () => waiting.delete(response))
})
const waitForHangUps = (left: number) => expect.poll(() => waiting.size, { timeout: 2 * timeoutMs }).toBe(left)

let stack: Stack
let trader: Trader
const account = () => privateKeyToAccount(stack.info.accounts[1]?.privateKey as Hex)

beforeAll(async () => {
  await new Promise<void>((resolve) => silentSolver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(silentSolver.address() as AddressInfo).port}`
  stack = await startBareTestStack({
    extraSolvers: [{ name: 'silent', address: `0x${'1'.repeat(40)}`, url }],
    vars: { quotes: { QUOTE_TIMEOUT_MS: String(timeoutMs) } },
  })
  trader = connectTrader(stack.info, stack.info.accounts[1]?.privateKey as Hex)
})
afterAll(async () => {
  silentSolver.closeAllConnections()
  silentSolver.close()
  await stack?.stop()
})

const post = (path: string, body: object, signal: AbortSignal | null = null) =>
  fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })

const request = (changes: object = {}) => ({
  sellToken: stack.info.tokens.WETH?.address,
  buyToken: stack.info.tokens.USDC?.address,
  from: zeroAddress,
  kind: 'sell',
  sellAmountBeforeFee: parseEther('0.5').toString(),
  ...changes,
})

type Quote = {
  id: number
  verified: boolean
  signable: { order: Record<string, unknown>; typedData: TypedDataDefinition; orderUid: string }
}

test('the order of a quote fills when it is signed unchanged', async () => {
  await trader.approveRelayer(stack.info.tokens.WETH?.address ?? zeroAddress)
  const from = account().address
  const response = await post('quote', request({ from, slippageBps: 50, timeout: 1_000 }))
  const { id, verified, signable } = (await response.json()) as Quote
  expect({ status: response.status, verified }).toEqual({ status: 200, verified: true })
  const signature = await account().signTypedData(signable.typedData)
  const posted = await post('orders', { ...signable.order, from, signature, signingScheme: 'eip712', quoteId: id })
  expect(await posted.json()).toBe(signable.orderUid)
  await waitForStatus(trader, signable.orderUid, 'fulfilled')
})

test('requests that begin together end in the order of their timeouts, whatever solvers do', async () => {
  const ended: string[] = []
  const ask = async (path: string, timeout: number, statuses: number[]) => {
    const response = await post(path, request({ timeout }))
    await response.text()
    ended.push(`${path} ${timeout}`)
    expect(statuses).toContain(response.status)
  }
  await Promise.all(
    ['quote', 'quote/stream'].flatMap((path) => [
      // so soon a busy machine's solvers may have nothing to offer, which is a response in time as well
      ask(path, 500, [200, 400, 503]),
      ask(path, 2_000, [200]),
      ask(path, timeoutMs, [200]),
    ]),
  )
  // a stream gives every solver its whole time, a quote only what a late one is worth
  const streams = ['quote/stream 500', 'quote/stream 2000', `quote/stream ${timeoutMs}`]
  expect(ended.filter((end) => streams.includes(end))).toEqual(streams)
  expect(ended.indexOf('quote 500')).toBeLessThan(ended.indexOf('quote/stream 2000'))
  expect(ended.indexOf('quote 2000')).toBeLessThan(ended.indexOf(`quote/stream ${timeoutMs}`))
})

test('the stream brings an offer while other solvers are still thinking, and gives up on them at the timeout', async () => {
  await waitForHangUps(0)
  let thinking: number | undefined
  const events = await readEvents(await post('quote/stream', request()), () => {
    thinking ??= waiting.size
  })
  expect(thinking).toBe(1)
  expect(events[0]).toMatchObject({ name: 'message', data: { id: expect.any(Number), verified: true } })
  await waitForHangUps(0)
})

test('an order with the id of a streamed quote keeps that quote and is a limit order, since it signs no fee', async () => {
  const from = account().address
  const last = (await readEvents(await post('quote/stream', request({ from, slippageBps: 50 })))).at(-1)
  if (!last) throw new Error('no offer')
  const { id, signable } = last.data as Quote
  const signature = await account().signTypedData(signable.typedData)
  const posted = await post('orders', { ...signable.order, from, signature, signingScheme: 'eip712', quoteId: id })
  expect(await posted.json()).toBe(signable.orderUid)
  const { quoteId, class: kind } = await trader.orderBook.getOrder(signable.orderUid)
  expect({ quoteId, kind }).toEqual({ quoteId: id, kind: 'limit' })
  await waitForStatus(trader, signable.orderUid, 'fulfilled')
})

test('a client that leaves the stream ends the work of the solvers, before the timeout would', async () => {
  await waitForHangUps(0)
  const leaving = new AbortController()
  const left = await post('quote/stream', request(), leaving.signal)
  let hasTimedOut = false
  const staying = post('quote/stream', request()).then(async (response) => {
    await readEvents(response)
    hasTimedOut = true
  })
  await left.body?.getReader().read()
  await waitForHangUps(2)
  leaving.abort()
  await waitForHangUps(1)
  expect(hasTimedOut).toBe(false)
  await staying
})
