import { expect, test } from 'vitest'
import { createSafeProvider } from './createSafeProvider.ts'

const safeAddress = `0x${'Ab'.repeat(20)}`
const safeTxHash = `0x${'5a'.repeat(32)}`
const txHash = `0x${'7b'.repeat(32)}`

/** A Safe with one transaction, and what it was requested. */
const open = async (transaction: object = {}, info: unknown = { safeAddress, chainId: 100 }) => {
  const requests: unknown[] = []
  const provider = await createSafeProvider(async (method, params) => {
    requests.push([method, params])
    if (method === 'getSafeInfo') return info
    if (method === 'getTxBySafeTxHash') return transaction
    return method === 'sendTransactions' ? { safeTxHash } : 'response of the node'
  })
  const request = (method: string, ...params: unknown[]) => provider?.request({ method, params })
  return { provider, request, requests }
}

test('a Safe is one account of its network, with batches', async () => {
  const { request } = await open()
  expect(await request('eth_requestAccounts')).toEqual([safeAddress.toLowerCase()])
  expect(await request('eth_chainId')).toBe('0x64')
  expect(await request('wallet_getCapabilities')).toEqual({ '0x64': { atomic: { status: 'supported' } } })
})

test.each([null, {}, { safeAddress: '0x12', chainId: 1 }, { safeAddress, chainId: 'x' }])(
  'the invalid description %o is no Safe',
  async (info) => {
    expect((await open({}, info)).provider).toBeUndefined()
  },
)

test('calls become one transaction with decimal amounts', async () => {
  const { request, requests } = await open()
  const calls = [
    { to: safeAddress, data: '0x12', value: '0x10' },
    { to: safeAddress, data: '0x34' },
  ]
  expect(await request('wallet_sendCalls', { calls })).toEqual({ id: safeTxHash })
  expect(await request('eth_sendTransaction', { from: safeAddress, to: safeAddress })).toBe(safeTxHash)
  const txs = [
    { to: safeAddress, data: '0x12', value: '16' },
    { to: safeAddress, data: '0x34', value: '0' },
  ]
  expect(requests.slice(1)).toEqual([
    ['sendTransactions', { txs, params: {} }],
    ['sendTransactions', { txs: [{ to: safeAddress, data: '0x', value: '0' }], params: {} }],
  ])
})

test.each([
  ['AWAITING_CONFIRMATIONS', 100],
  ['AWAITING_EXECUTION', 100],
  [undefined, 100],
  ['SUCCESS', 200],
  ['CANCELLED', 400],
  ['FAILED', 500],
])('a transaction that is %s has the status %i', async (txStatus, status) => {
  const { request } = await open({ txStatus })
  expect(await request('wallet_getCallsStatus', safeTxHash)).toEqual({ id: safeTxHash, status })
})

test('the receipt of a transaction exists once it is executed', async () => {
  expect(await (await open({ txHash: null })).request('eth_getTransactionReceipt', safeTxHash)).toBeNull()
  const { request, requests } = await open({ txHash })
  expect(await request('eth_getTransactionReceipt', safeTxHash)).toBe('response of the node')
  expect(requests.at(-1)).toEqual(['rpcCall', { call: 'eth_getTransactionReceipt', params: [txHash] }])
})

test('a Safe reads the chain, and refuses to sign messages', async () => {
  const { request, requests } = await open()
  await request('eth_getCode', safeAddress, 'latest')
  expect(requests.at(-1)).toEqual(['rpcCall', { call: 'eth_getCode', params: [safeAddress, 'latest'] }])
  await expect(request('eth_signTypedData_v4', safeAddress, '{}')).rejects.toMatchObject({ code: 4200 })
})
