import { type Hex, parseEther, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader } from '#tools/demo/connectTrader.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { startTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack

beforeAll(async () => {
  stack = await startTestStack({ vars: { orders: { ORDER_APP_DATA: 'hash' } } })
  const trader = connectTrader(stack.info, account()?.privateKey as Hex)
  await trader.approveRelayer(stack.info.tokens.WETH?.address as Hex)
})
afterAll(() => stack?.stop())

const document = '{"appCode":"wire/1","metadata":{}}'
const account = () => stack.info.accounts[1]
const request = async (path: string, body?: object) => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const response = await fetch(`${stack.info.baseUrl}${path}`, body && init)
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}
/** An order of a hundredth WETH far above its value. */
const sign = () =>
  signOrder(stack.info, account()?.privateKey as Hex, {
    sellToken: stack.info.tokens.WETH?.address as Hex,
    buyToken: stack.info.tokens.USDC?.address as Hex,
    sellAmount: parseEther('0.01'),
    buyAmount: parseUnits('100000', 6),
    appData: document,
  })

test('an open order without a fee is a limit order with its available balance', async () => {
  const creation = { ...(await sign()), quoteId: 987_654, partnerFeeBps: 5 }
  const posted = await request('/sepolia/api/v1/orders', creation)
  expect(posted).toMatchObject({ status: 201, body: expect.stringMatching(/^0x[0-9a-f]{112}$/) })
  expect(posted.headers.get('X-Quote-Ignored')).toBe('unknown')
  expect(posted.headers.get('X-Ignored-Fields')).toBe('partnerFeeBps')
  expect(posted.headers.get('Access-Control-Expose-Headers')).toContain('X-Quote-Ignored')
  const { body: order } = await request(`/sepolia/api/v1/orders/${posted.body}`)
  expect(order).toMatchObject({
    status: 'open',
    class: 'limit',
    availableBalance: parseEther('0.01').toString(),
    appData: order.appDataHash,
  })
  const { body: simulation } = await request(`/sepolia/restricted/api/v1/debug/simulation/${posted.body}`)
  expect(simulation).toMatchObject({ tenderlyRequest: { network_id: '11155111' } })
  expect(simulation).toHaveProperty('error')
})

test('a document in the appData field is returned unchanged', async () => {
  const { status, body } = await request(`/sepolia/api/v1/app_data/${encodeURIComponent(document)}`)
  expect([status, body]).toEqual([200, { fullAppData: document }])
})

test('the routes of the public system respond', async () => {
  expect(await request('/sepolia/api/v1/ready')).toMatchObject({ status: 200, body: null })
  expect(await request('/about')).toMatchObject({ status: 200, body: { name: 'edgebook' } })
  const balances = await request(`/11155111/address/${account()?.address}/balances`)
  expect(balances).toMatchObject({ status: 200, body: { balances: expect.any(Object) } })
})

test('an error has no text of the validation library', async () => {
  const { status, body } = await request('/sepolia/tokens/prices', {})
  expect([status, body.message]).toEqual([400, 'tokenAddresses is missing: an array'])
})
