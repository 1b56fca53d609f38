import { type Hex, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack
let trader: DevAccount

beforeAll(async () => {
  stack = await useSharedStack()
  trader = await createTrader(stack)
})

afterAll(() => stack?.stop())

const request = async (path: string, body?: object) => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${stack.info.baseUrl}${path}`, body && init)
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}
const api = (path: string, body?: object) => request(`/${stack.info.network}/api/v1/${path}`, body)
const requestQuote = (fields: object = {}) =>
  api('quote', {
    sellToken: stack.info.tokens.WETH?.address,
    buyToken: stack.info.tokens.USDC?.address,
    from: trader.address,
    kind: 'sell',
    sellAmountBeforeFee: parseEther('0.01').toString(),
    ...fields,
  })

test('a quote names unknown fields instead of ignoring them', async () => {
  const { status, headers } = await requestQuote({ fastPath: true, all: true, partnerFeeBps: 5 })
  expect([status, headers.get('X-Ignored-Fields')]).toEqual([200, 'fastPath, all'])
})

test('an unknown type of notification is rejected in plain words', async () => {
  const { status, body } = await request(`/accounts/${trader.address}/notifications?type=foo`)
  expect([status, body.data.field]).toEqual([400, 'type'])
  expect(body.message).not.toMatch(/no type|Invalid (input|option)|expected/)
})

test('an order that signs the suggestion of its quote is stored with it and has an object as the metadata of its quote', async () => {
  const { body: quote } = await requestQuote({ slippageBps: 'auto' })
  expect(quote.slippageBps).toBeGreaterThan(5)
  const { typedData, order: signed, orderUid } = quote.signable
  const signature = await privateKeyToAccount(trader.privateKey as Hex).signTypedData(typedData)
  const creation = { ...signed, from: trader.address, quoteId: quote.id, signingScheme: 'eip712', signature }
  const posted = await api('orders', creation)
  expect(posted).toMatchObject({ status: 201, body: orderUid })
  expect(posted.headers.get('X-Quote-Ignored')).toBeNull()
  const { body: order } = await api(`orders/${orderUid}`)
  expect(order).toMatchObject({ buyAmount: quote.amounts.afterSlippage.buyAmount, quoteId: quote.id })
  expect(order.quote.metadata).toEqual(expect.any(Object))
  await expect
    .poll(async () => (await api(`orders/${orderUid}`)).body.status, { timeout: patienceMs })
    .toBe('fulfilled')
})

test('the slippage of an amount is the one that a quote with the same fee suggests', async () => {
  const { body: quote } = await requestQuote({ slippageBps: 'auto' })
  const { WETH, USDC } = stack.info.tokens
  const query = `sellAmount=${parseEther('0.01')}&feeAmount=${quote.quote.feeAmount}`
  const path = `/${stack.info.chainId}/markets/${WETH?.address}-${USDC?.address}/slippageTolerance?${query}`
  const { status, body } = await request(path)
  expect(status).toBe(200)
  expect(body.priceBps + body.feeBps).toBe(body.slippageBps)
  expect(body.feeAmount).toBe(quote.quote.feeAmount)
  // blocks between the two requests may have another base fee
  expect(Math.abs(body.slippageBps - quote.slippageBps)).toBeLessThanOrEqual(quote.slippageBps)
})
