import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Address, concatHex, encodeFunctionData, type Hex, maxUint256, pad, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Hook } from '#shared/appData/parseAppData.ts'
import { simulateCalls } from '#shared/chain/calls/simulateCalls.ts'
import { erc20Abi } from '#shared/chain/erc20Abi.ts'
import { wrappedNativeAbi } from '#shared/chain/wrappedNativeAbi.ts'
import { networks } from '#shared/networks.ts'
import { deployTestContract } from '#test/helpers/chain/oddContracts.ts'
import { buildHookDocument, deployPermitToken } from '#test/helpers/chain/permitToken.ts'
import { startTestChain, type TestChain } from '#test/helpers/chain/testChain.ts'
import { startTestDatabase, type TestDatabase } from '#test/helpers/database/testDatabase.ts'
import { signCancellation, signCancellations } from '#test/helpers/orders/signCancellation.ts'
import { signOrderCreation } from '#test/helpers/orders/signOrderCreation.ts'
import { patienceMs } from '#test/helpers/patienceMs.ts'
import { deploySettlementContracts } from '#tools/stack/chain/contracts/deploySettlementContracts.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import worker from './index.ts'

const { wrappedNative, vaultRelayer, hooksTrampoline, settlementContract } = networks.sepolia
const owner = devAccounts[0].address
const acceptingWallet: Address = '0x1271000000000000000000000000000000000001'
const revertingWallet: Address = '0x1271000000000000000000000000000000000002'
const burningWallet: Address = '0x1271000000000000000000000000000000000003'
const verboseWallet: Address = '0x1271000000000000000000000000000000000005'
/** accepts once it was called with four bytes */
const switchedWallet: Address = '0x1271000000000000000000000000000000000004'
let testDatabase: TestDatabase
let testChain: TestChain
let env: Record<string, unknown>
const woken: Request[] = []

beforeAll(async () => {
  const [database, chain] = await Promise.all([startTestDatabase(), startTestChain()])
  testDatabase = database
  testChain = chain
  await deploySettlementContracts(chain.chain)
  env = {
    NETWORK: 'sepolia',
    DATABASE_URL: database.databaseUrl,
    RPC_URL: chain.rpcUrl,
    VERSION: 'v1.2.3',
    SOLVERS: '[]',
    // All orders here have one owner and no quote.
    MAX_LIMIT_ORDERS_PER_USER: '1000',
    AUCTIONS: {
      fetch: async (url: string, init: RequestInit) => {
        woken.push(new Request(url, init))
        return new Response()
      },
    },
  }
  await fund(owner)
  for (const wallet of [acceptingWallet, revertingWallet, burningWallet, verboseWallet, switchedWallet]) {
    await chain.chain.impersonateAccount({ address: wallet })
    await chain.chain.setBalance({ address: wallet, value: parseEther('10') })
    await fund(wallet)
  }
  // PUSH32 magic value, store it, return 32 bytes; and: revert
  const magicWord = pad('0x1626ba7e', { size: 32, dir: 'right' })
  const accept = concatHex(['0x7f', magicWord, '0x60005260206000f3'])
  await chain.chain.setCode({ address: acceptingWallet, bytecode: accept })
  await chain.chain.setCode({ address: revertingWallet, bytecode: '0x60006000fd' })
  await chain.chain.setCode({ address: burningWallet, bytecode: '0x5b600056' })
  // returns 800,000 zero bytes
  await chain.chain.setCode({ address: verboseWallet, bytecode: '0x620c35006000f3' })
  // four bytes of calldata: set slot 0; else accept when it is set, or revert
  const accepting = concatHex(['0x5b', accept])
  const bytecode = concatHex(['0x36600414603c57600054601257', '0x60006000fd', accepting, '0x5b600160005500'])
  await chain.chain.setCode({ address: switchedWallet, bytecode })
  // the first simulation of an isolate finds the first block of the node's simulations, which is remembered
  await simulateCalls(chain.rpcUrl)([{ to: owner, data: '0x' }], {}, AbortSignal.timeout(patienceMs))
})
/** The first order of an isolate reads the pauses, which are cached for five seconds: with a stopped clock for all tests. */
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const presigned = await signOrderCreation({ validTo: soon() })
  const body = { ...presigned, from: devAccounts[5].address, signingScheme: 'presign', signature: '0x' }
  expect(await call('/api/v1/orders', { method: 'POST', body })).toMatchObject({ status: 201 })
  woken.length = 0
})
afterAll(async () => {
  vi.useRealTimers()
  await testDatabase?.close()
  await testChain?.stop()
})

/** One wrapped ether, which the vault relayer may move. */
const fund = async (account: Address) => {
  const deposit = encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' })
  await sendFrom(testChain.chain, account, { to: wrappedNative, data: deposit, value: parseEther('1') })
  const args = [vaultRelayer, maxUint256] as const
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
  await sendFrom(testChain.chain, account, { to: wrappedNative, data: approve })
}

type Init = { method?: string; body?: unknown; headers?: Record<string, string> }
const call = async (path: string, init: Init = {}, settings = env) => {
  const waiting: Promise<unknown>[] = []
  const response = await worker.fetch(
    new Request(`http://orders${path}`, {
      method: init.method ?? 'GET',
      headers: { ...(init.body ? { 'Content-Type': 'application/json' } : {}), ...init.headers },
      ...(init.body ? { body: JSON.stringify(init.body) } : {}),
    }),
    settings,
    { waitUntil: (work: Promise<unknown>) => waiting.push(work), passThroughOnException: () => undefined, props: {} },
  )
  await Promise.all(waiting)
  return {
    status: response.status,
    body: (await (response.headers.get('Content-Type')?.includes('json')
      ? response.json()
      : response.text())) as unknown,
    trips: countTrips(response.headers.get('Server-Timing') ?? ''),
  }
}

/** Round trips by dependency, as `Server-Timing` says. */
const countTrips = (header: string) =>
  Object.fromEntries(
    [...header.matchAll(/(\w+);dur=[\d.]+;desc="(\d+)"/g)].map(([, name, count]) => [name, Number(count)]),
  )

const soon = () => Math.floor(Date.now() / 1_000) + 600
let seconds = 0
const nextOrder = (changes: { sellAmount?: string; appData?: string } = {}) => {
  seconds += 1
  return signOrderCreation({ validTo: soon() + seconds, ...changes })
}

test('an order is placed in one database round trip and one to the chain, and read in one', async () => {
  const creation = await nextOrder()
  const placed = await call('/api/v1/orders', { method: 'POST', body: creation })
  // four more for the proof that the buy token loses nothing, which is remembered
  expect(placed).toMatchObject({ status: 201, trips: { db: 1, rpc: 5 } })
  const duplicate = await call('/api/v1/orders', { method: 'POST', body: creation })
  expect(duplicate).toMatchObject({ body: { errorType: 'DuplicatedOrder' }, trips: { rpc: 1 } })
  expect(woken.map(({ method, url }) => [method, url])).toEqual([['POST', 'http://auctions/wake']])
  const uid = String(placed.body)

  const read = await call(`/api/v1/orders/${uid}`)
  expect(read).toMatchObject({ status: 200, trips: { db: 1 } })
  expect(read.body).toMatchObject({ uid, owner, status: 'open', class: 'limit', appData: '{}', executedFee: '0' })
  expect(await call(`/api/v1/orders/${uid}/status`)).toMatchObject({ body: { type: 'scheduled' }, trips: { db: 1 } })
  expect(await call('/api/v1/orders/by_uids', { method: 'POST', body: [uid] })).toMatchObject({
    body: [{ order: { uid } }],
    trips: { db: 1 },
  })
  expect(await call(`/api/v1/account/${owner}/orders`)).toMatchObject({ body: [{ uid }], trips: { db: 1 } })
  expect(await call(`/api/v2/trades?orderUid=${uid}`)).toMatchObject({ status: 200, body: [], trips: { db: 1 } })

  const again = await call('/api/v1/orders', { method: 'POST', body: creation })
  expect(again).toMatchObject({ status: 400, body: { errorType: 'DuplicatedOrder', data: { uid, status: 'open' } } })
})

test('twenty submissions of one order at once: one 201, the others DuplicatedOrder', async () => {
  const creation = await nextOrder()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call('/api/v1/orders', { method: 'POST', body: creation })),
  )
  const refused = replies.filter(({ status }) => status !== 201)
  expect(refused).toHaveLength(19)
  const uid = replies.find(({ status }) => status === 201)?.body
  for (const { body, trips } of refused) {
    expect(body).toMatchObject({
      errorType: 'DuplicatedOrder',
      data: { uid, status: 'open', creationDate: expect.any(String) },
    })
    expect(trips.db).toBeLessThanOrEqual(2)
  }
})

test('an order takes the place of another one in the same round trip, in one more when only its hash comes', async () => {
  const place = async (body: unknown) => call('/api/v1/orders', { method: 'POST', body })
  const read = async (uid: unknown) => (await call(`/api/v1/orders/${uid}`)).body as { status: string }
  const replacing = (uid: unknown) => JSON.stringify({ metadata: { replacedOrder: { uid } } })
  const { body: first } = await place(await nextOrder())
  const creation = await nextOrder({ appData: replacing(first) })
  const second = await place(creation)
  expect(second).toMatchObject({ status: 201, trips: { db: 1, rpc: 1 } })
  expect([(await read(first)).status, (await read(second.body)).status]).toEqual(['cancelled', 'open'])
  expect(await place(creation)).toMatchObject({ body: { errorType: 'DuplicatedOrder', data: { uid: second.body } } })
  const again = await place(await nextOrder({ appData: replacing(first) }))
  expect(again).toMatchObject({ status: 400, body: { errorType: 'AlreadyCancelled' }, trips: { db: 1, rpc: 1 } })

  const { appData, appDataHash, ...terms } = await nextOrder({ appData: replacing(second.body) })
  await call('/api/v1/app_data', { method: 'PUT', body: { fullAppData: appData } })
  expect(await place({ ...terms, appData: appDataHash })).toMatchObject({ status: 201, trips: { db: 2, rpc: 1 } })
  expect((await read(second.body)).status).toBe('cancelled')
})

test('of ten replacements of one order at once one is placed', async () => {
  const { body: uid } = await call('/api/v1/orders', { method: 'POST', body: await nextOrder() })
  const appData = JSON.stringify({ metadata: { replacedOrder: { uid } } })
  const creations = await Promise.all(Array.from({ length: 10 }, () => nextOrder({ appData })))
  const replies = await Promise.all(creations.map((body) => call('/api/v1/orders', { method: 'POST', body })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  const refused = replies.filter(({ status }) => status !== 201)
  for (const { body } of refused) expect(body).toMatchObject({ errorType: 'AlreadyCancelled', data: { uid } })
})

test('an order has validFrom when its document states it, and not otherwise', async () => {
  const validFrom = soon() - 300
  const place = async (appData: string) => {
    const { body } = await call('/api/v1/orders', { method: 'POST', body: await nextOrder({ appData }) })
    return (await call(`/api/v1/orders/${body}`)).body
  }
  expect(await place(JSON.stringify({ metadata: { validFrom } }))).toMatchObject({ validFrom, status: 'open' })
  expect(await place('{}')).not.toHaveProperty('validFrom')
})

test('orders are cancelled in two database round trips, once for concurrent requests', async () => {
  const uids: Hex[] = []
  for (let i = 0; i < 3; i++) {
    const placed = await call('/api/v1/orders', { method: 'POST', body: await nextOrder() })
    uids.push(String(placed.body) as Hex)
  }
  const [single, ...several] = uids
  if (!single) throw new Error('no order')
  const body = await signCancellations(several)
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call('/api/v1/orders', { method: 'DELETE', body })),
  )
  const [done, ...more] = replies.filter(({ status }) => status === 200)
  expect(done).toMatchObject({ body: 'Cancelled', trips: { db: 2 } })
  expect(more).toEqual([])
  const late = replies.filter((reply) => (reply.body as { errorType?: string }).errorType === 'AlreadyCancelled')
  expect(late).toHaveLength(19)
  for (const uid of several) {
    expect(await call(`/api/v1/orders/${uid}`)).toMatchObject({ body: { status: 'cancelled', invalidated: true } })
    expect(await call(`/api/v1/orders/${uid}/status`)).toMatchObject({ body: { type: 'cancelled' } })
  }
  const byPath = await signCancellation(single, 'ethsign')
  expect(await call(`/api/v1/orders/${single}`, { method: 'DELETE', body: byPath })).toMatchObject({
    status: 200,
    body: 'Cancelled',
    trips: { db: 2 },
  })
  expect(await call(`/api/v1/account/${owner}/orders?cursor=${single}&limit=1`)).toMatchObject({
    status: 200,
    trips: { db: 1 },
  })
})

test("a transaction's orders and a user's surplus take one round trip", async () => {
  const none = await call(`/api/v1/transactions/0x${'ab'.repeat(32)}/orders`)
  expect(none).toMatchObject({ status: 200, body: [], trips: { db: 1 } })
  const surplus = await call(`/api/v1/users/${owner}/total_surplus`)
  expect(surplus).toMatchObject({ status: 200, body: { totalSurplus: '0' }, trips: { db: 1 } })
})

test('an uploaded document may be named by its hash, for one more round trip', async () => {
  const appData = '{"appCode":"edgebook"}'
  const creation = await signOrderCreation({ validTo: soon(), appData })
  const { appDataHash, ...terms } = creation
  const body = { ...terms, appData: appDataHash }
  expect(await call('/api/v1/orders', { method: 'POST', body })).toMatchObject({
    body: { errorType: 'InvalidAppData' },
  })
  const upload = { method: 'PUT', body: { fullAppData: appData } }
  expect(await call(`/api/v1/app_data/${appDataHash}`, upload)).toMatchObject({ status: 201, body: appDataHash })
  const placed = await call('/api/v1/orders', { method: 'POST', body })
  expect(placed).toMatchObject({ status: 201, trips: { db: 2, rpc: 1 } })
  expect(await call(`/api/v1/orders/${placed.body}`)).toMatchObject({ body: { appData, appDataHash } })
})

test('balance and allowance are those of the chain', async () => {
  const creation = await nextOrder({ sellAmount: '1000000000000000001' })
  const { status, body } = await call('/api/v1/orders', { method: 'POST', body: creation })
  expect(status).toBe(400)
  expect(body).toMatchObject({
    errorType: 'InsufficientBalance',
    data: { available: '1000000000000000000', required: '1000000000000000001' },
  })
})

const placeFor = async (
  from: Address,
  signature: Hex = '0x1234',
  sellToken: Address = wrappedNative,
  appData = '{}',
) => {
  const body = { ...(await nextOrder({ appData })), from, signature, sellToken, signingScheme: 'eip1271' }
  return call('/api/v1/orders', { method: 'POST', body })
}

test('a contract signature of any length is checked in the same round trip', async () => {
  expect(await placeFor(acceptingWallet)).toMatchObject({ status: 201, trips: { db: 1, rpc: 1 } })
  expect(await placeFor(acceptingWallet, `0x${'77'.repeat(4_000)}`)).toMatchObject({ status: 201, trips: { rpc: 1 } })
  const refused = { status: 400, body: { errorType: 'InvalidEip1271Signature' } }
  expect(await placeFor(revertingWallet)).toMatchObject(refused)
  const description = expect.stringContaining('there is no contract at the address of the owner')
  expect(await placeFor(owner)).toMatchObject({ status: 400, body: { errorType: 'InvalidSignature', description } })
  expect(await placeFor(burningWallet)).toMatchObject(refused)
  expect(await placeFor(verboseWallet)).toMatchObject(refused)
})

test('a contract signature is checked by a static call of the settlement contract', async () => {
  const place = async (...args: [caller: Address, writes: boolean]) => {
    const wallet = await deployTestContract(testChain.chain, 'PickyWallet', [...args, false])
    await testChain.chain.impersonateAccount({ address: wallet })
    await testChain.chain.setBalance({ address: wallet, value: parseEther('10') })
    await fund(wallet)
    const { status, body } = await placeFor(wallet)
    return status === 201 ? status : (body as { errorType: string }).errorType
  }
  expect(await place(settlementContract, false)).toBe(201)
  expect(await place(owner, false)).toBe('InvalidEip1271Signature')
  expect(await place(zeroAddress, true)).toBe('InvalidEip1271Signature')
  await withoutSimulation(testChain.rpcUrl, async (RPC_URL) => {
    const wallet = await deployTestContract(testChain.chain, 'PickyWallet', [settlementContract, false, false])
    await testChain.chain.impersonateAccount({ address: wallet })
    await testChain.chain.setBalance({ address: wallet, value: parseEther('10') })
    await fund(wallet)
    const body = { ...(await nextOrder({ appData: '{}' })), from: wallet, signature: '0x12', signingScheme: 'eip1271' }
    expect(await call('/api/v1/orders', { method: 'POST', body }, { ...env, RPC_URL })).toMatchObject({ status: 201 })
  })
})

test('a contract signature is checked after the pre-hooks of its order', async () => {
  expect(await placeFor(switchedWallet)).toMatchObject({ body: { errorType: 'InvalidEip1271Signature' } })
  const hook = { target: switchedWallet, callData: '0x12345678', gasLimit: '50000' }
  const appData = JSON.stringify({ metadata: { hooks: { pre: [hook] } } })
  const placed = await placeFor(switchedWallet, '0x1234', wrappedNative, appData)
  expect(placed).toMatchObject({ status: 201, trips: { db: 1, rpc: 1 } })

  const upload = { method: 'PUT', body: { fullAppData: appData } }
  const { body: hash } = await call('/api/v1/app_data', upload)
  const { appDataHash: _, ...terms } = await nextOrder({ appData })
  const byHash = { ...terms, appData: hash, from: switchedWallet, signature: '0x1234', signingScheme: 'eip1271' }
  const again = await call('/api/v1/orders', { method: 'POST', body: byHash })
  expect(again).toMatchObject({ status: 201, trips: { db: 2, rpc: 1 } })
  const { body } = await call(`/api/v1/orders/${again.body}`)
  expect(body).toMatchObject({ interactions: { pre: [{ target: hooksTrampoline, value: '0' }], post: [] } })

  const burning = { target: burningWallet, callData: '0x', gasLimit: '50000' }
  const wasteful = JSON.stringify({ metadata: { hooks: { pre: Array(5).fill(burning) } } })
  expect(await placeFor(acceptingWallet, '0x1234', wrappedNative, wasteful)).toMatchObject({ status: 201 })
  expect(await placeFor(revertingWallet, '0x1234', wrappedNative, wasteful)).toMatchObject({
    body: { errorType: 'InvalidEip1271Signature' },
  })
})

test('balance and allowance are those after the pre-hooks, in the same round trip', async () => {
  const token = await deployPermitToken(testChain.chain)
  const sellAmount = '1000'
  const place = async (pre: Hook[], settings = env) => {
    const order = await signOrderCreation({
      validTo: soon() + seconds++,
      sellToken: token.address,
      sellAmount,
      appData: buildHookDocument({ pre }),
    })
    return call('/api/v1/orders', { method: 'POST', body: order }, settings)
  }
  const refused = (errorType: string, available: string) => ({
    status: 400,
    body: { errorType, data: { available, required: sellAmount } },
  })
  const permit = await token.signPermit(devAccounts[0], 1_000n)
  // beside the round trips of an order, those for the proof about the token and for its name
  expect(await place([permit])).toMatchObject({ ...refused('InsufficientBalance', '0'), trips: { db: 3, rpc: 5 } })
  await token.mint(owner, 1_000n)
  expect(await place([])).toMatchObject(refused('InsufficientAllowance', '0'))
  expect(await place([permit])).toMatchObject({ status: 201, trips: { db: 1, rpc: 1 } })
  const useless = [
    { ...permit, gasLimit: 30_000n },
    await token.signPermit(devAccounts[0], 1_000n, { deadline: 1n }),
    await token.signPermit(devAccounts[0], 1_000n, { chainId: 1 }),
    await token.signPermit(devAccounts[1], 1_000n),
    // accepts the call and approves nothing, as a token with a fallback function does
    { ...permit, target: acceptingWallet },
  ]
  for (const hook of useless) expect(await place([hook])).toMatchObject(refused('InsufficientAllowance', '0'))
  const small = await token.signPermit(devAccounts[0], 999n)
  expect(await place([small])).toMatchObject(refused('InsufficientAllowance', '999'))

  await withoutSimulation(testChain.rpcUrl, async (rpcUrl) => {
    const placed = await place([small], { ...env, RPC_URL: rpcUrl })
    // the first order of its isolate; four for the proofs about tokens, which this node does not give
    expect(placed).toMatchObject({ status: 201, trips: { db: 2, rpc: 6 } })
  })
})

/** The chain behind a node that does not know `eth_simulateV1`. */
const withoutSimulation = async (target: string, work: (rpcUrl: string) => Promise<void>) => {
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const unknown = '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}'
    const forward = () => fetch(target, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    response.setHeader('Content-Type', 'application/json')
    response.end(body.includes('eth_simulateV1') ? unknown : await (await forward()).text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('an order whose sell token has no code or another interface is refused', async () => {
  const refused = { status: 400, body: { errorType: 'TransferSimulationFailed' } }
  expect(await placeFor(acceptingWallet, '0x', '0x9000000000000000000000000000000000000009')).toMatchObject(refused)
  expect(await placeFor(acceptingWallet, '0x', revertingWallet)).toMatchObject(refused)
})

test('an order is 503 and not stored while the chain is unavailable', async () => {
  const creation = await nextOrder()
  const dead = { ...env, RPC_URL: 'http://127.0.0.1:9/secret' }
  const { status, body } = await call('/api/v1/orders', { method: 'POST', body: creation }, dead)
  expect([status, JSON.stringify(body)]).toEqual([503, expect.not.stringContaining('secret')])
  expect(body).toMatchObject({ errorType: 'ServiceUnavailable' })
  expect(await call('/api/v1/orders', { method: 'POST', body: creation })).toMatchObject({ status: 201 })
  expect(await call('/readyz', {}, dead)).toMatchObject({ status: 503, body: { dependencies: { rpc: 'unavailable' } } })
})

test('tokens that are not traded and the limits of an order are settings', async () => {
  const place = async (settings: object, appData?: string) => {
    const body = await nextOrder(appData ? { appData } : {})
    return (await call('/api/v1/orders', { method: 'POST', body }, { ...env, ...settings })).body
  }
  expect(await place({ UNSUPPORTED_TOKENS: wrappedNative })).toMatchObject({ errorType: 'UnsupportedToken' })
  const hooks = { post: [{ target: owner, callData: '0x', gasLimit: '500001' }] }
  const appData = JSON.stringify({ metadata: { hooks } })
  expect(await place({ MAX_GAS_PER_ORDER: '500000' }, appData)).toMatchObject({ errorType: 'TooMuchGas' })
  expect(await place({ MAX_LIMIT_ORDERS_PER_USER: 'many' })).toMatchObject({
    errorType: 'ServiceUnavailable',
    data: { settings: [expect.stringContaining('MAX_LIMIT_ORDERS_PER_USER')] },
  })
})

test('the bounds of open orders hold in the same round trip; the gateway identifies the client', async () => {
  const place = async (body: object, settings: object, client = 'a') => {
    const init = { method: 'POST', body, headers: { 'X-Client-Key': client } }
    return call('/api/v1/orders', init, { ...env, ...settings })
  }
  const refused = await place(await nextOrder(), { MAX_OPEN_ORDERS_PER_USER: '1' })
  expect(refused).toMatchObject({
    status: 400,
    body: { errorType: 'TooManyLimitOrders', data: { field: 'openOrders', limit: 1, open: expect.any(Number) } },
    // the first order of its isolate; four for the proof that the buy token loses nothing
    trips: { db: 2, rpc: 5 },
  })
  const unsigned = async (settings: object, client: string) =>
    place({ ...(await nextOrder()), signingScheme: 'presign', signature: '0x' }, settings, client)
  const one = { MAX_UNSIGNED_ORDERS_PER_CLIENT: '1' }
  expect(await unsigned(one, 'a')).toMatchObject({ status: 201, trips: { db: 2 } })
  expect(await unsigned(one, 'a')).toMatchObject({ body: { data: { field: 'unsignedOfClient', limit: 1, open: 1 } } })
  expect((await unsigned(one, 'b')).status).toBe(201)
  expect(await unsigned({ MAX_UNSIGNED_ORDERS: '2' }, 'c')).toMatchObject({
    status: 400,
    body: { errorType: 'TooManyUnsignedOrders', data: { field: 'unsignedOrders', limit: 2, open: 2 } },
  })
})

test('a signed order takes over an unsigned one in one round trip', async () => {
  const body = await nextOrder()
  const place = (changes: object) => call('/api/v1/orders', { method: 'POST', body: { ...body, ...changes } })
  const squatted = await place({ signingScheme: 'presign', signature: '0x' })
  expect(await place({})).toMatchObject({ status: 201, body: squatted.body, trips: { db: 1, rpc: 1 } })
  expect(await call(`/api/v1/orders/${squatted.body}`)).toMatchObject({
    body: { status: 'open', signingScheme: 'eip712', signature: body.signature },
  })
  expect(await call(`/api/v1/orders/${squatted.body}/status`)).toMatchObject({ body: { type: 'scheduled' } })
})

test('a banned owner costs no round trip', async () => {
  const body = await nextOrder()
  const banning = { ...env, BANNED_USERS: `${revertingWallet}, 0x${owner.slice(2).toUpperCase()}` }
  expect(await call('/api/v1/orders', { method: 'POST', body }, banning)).toMatchObject({
    status: 403,
    body: { errorType: 'Forbidden' },
    trips: {},
  })
})

test('the version is plain text, readyz lists the dependencies, and a missing setting is named', async () => {
  expect(await call('/api/v1/version')).toMatchObject({ status: 200, body: 'v1.2.3' })
  expect(await call('/readyz')).toMatchObject({ status: 200, body: { dependencies: { database: 'ok', rpc: 'ok' } } })
  const { status, body } = await call('/api/v1/version', {}, { ...env, AUCTIONS: undefined })
  expect([status, JSON.stringify(body)]).toEqual([503, expect.stringContaining('AUCTIONS')])
})

test('an unknown route is 404, an unknown method 405, and an oversized body 413', async () => {
  expect(await call('/api/v1/nothing')).toMatchObject({ status: 404, body: { errorType: 'NotFound' } })
  expect(await call('/api/v1/orders', { method: 'PUT', body: {} })).toMatchObject({
    status: 405,
    body: { errorType: 'MethodNotAllowed' },
  })
  expect(await call('/api/v1/orders', { method: 'POST', body: { appData: 'x'.repeat(17_000) } })).toMatchObject({
    status: 413,
    body: { errorType: 'PayloadTooLarge' },
  })
})
