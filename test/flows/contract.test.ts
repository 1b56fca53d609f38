import { type Address, concatHex, encodeFunctionData, type Hex, hashTypedData, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { composableCowAbi } from '#shared/strategies/composableCowAbi.ts'
import { type ConditionalParams, hashParams } from '#shared/strategies/hashParams.ts'
import { subscribe } from '#tools/demo/subscribe.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import { sendFrom } from '#tools/stack/chain/sendFrom.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'
import { sinkSettings } from '#tools/stack/sinks/sinkSettings.ts'
import { messageTypes } from '../../functions/accounts/authorization/typedData.ts'
import { createTrader } from '../helpers/orders/createTrader.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { signAffiliateCode } from '../helpers/orders/signAffiliateCode.ts'
import { signCancellations } from '../helpers/orders/signCancellation.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { patienceMs } from '../helpers/patienceMs.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { connectSinks, findLink } from '../helpers/stack/subscriber.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

type Parameter = { in: 'path' | 'query' | 'header'; name: string; example?: unknown; schema?: { example?: unknown } }
type Operation = {
  key: string
  parameters: Parameter[]
  body: unknown
  statuses: number[]
}
type Json = Record<string, unknown>

/** Fields of the interface specification that every order has in every state. */
const orderFields = [
  ...['sellToken', 'buyToken', 'sellAmount', 'buyAmount', 'feeAmount', 'validTo', 'kind', 'partiallyFillable'],
  ...['signingScheme', 'signature', 'appData', 'appDataHash', 'fullAppData', 'creationDate', 'class', 'owner', 'from'],
  ...['receiver', 'settlementContract', 'uid', 'executedSellAmount', 'executedSellAmountBeforeFees'],
  ...['executedBuyAmount', 'executedFeeAmount', 'executedFee', 'executedFeeToken', 'invalidated', 'status'],
  ...[
    'sellTokenBalance',
    'buyTokenBalance',
    'fullBalanceCheck',
    'isLiquidityOrder',
    'interactions',
    'quoteId',
    'quote',
  ],
]
const quoteFields = [
  ...['sellToken', 'buyToken', 'sellAmount', 'buyAmount', 'validTo', 'appData', 'feeAmount', 'gasAmount', 'gasPrice'],
  ...['sellTokenPrice', 'kind', 'partiallyFillable', 'receiver', 'appDataHash', 'sellTokenBalance'],
  ...['buyTokenBalance', 'signingScheme'],
]
const auctionFields = [
  ...[
    'id',
    'block',
    'deadline',
    'nativePrices',
    'proposedSolutions',
    'executions',
    'settlementAttempts',
    'feePolicies',
  ],
]
const tradeFields = [
  ...['blockNumber', 'logIndex', 'buyAmount', 'sellAmount', 'sellAmountBeforeFees', 'txHash', 'auctionId'],
]

let stack: SharedStack
let trader: DevAccount
let operations: Operation[]
/** a filled order, its transaction and its auction */
let filled: { uid: string; txHash: string; auctionId: number }

beforeAll(async () => {
  stack = await useSharedStack()
  trader = await createTrader(stack)
  const document = await getJson<{ paths: Record<string, Record<string, Json>> }>('/openapi.json')
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const {
        parameters = [],
        requestBody,
        responses,
      } = operation as {
        parameters?: (Parameter & { $ref?: string })[]
        requestBody?: { content: Record<string, { example?: unknown }> }
        responses: Json
      }
      return {
        key: `${method.toUpperCase()} ${path}`,
        parameters: parameters.filter(({ $ref }) => $ref === undefined),
        body: requestBody?.content['application/json']?.example,
        statuses: Object.keys(responses)
          .map(Number)
          .filter((status) => status < 300),
      }
    }),
  )
  filled = await fillOrder()
})
afterAll(() => stack?.stop())

const getJson = async <T>(path: string): Promise<T> => {
  const response = await fetch(stack.info.baseUrl + path)
  expect(response.status, path).toBe(200)
  return (await response.json()) as T
}
const api = (path: string) => `/${stack.info.network}/api/v1/${path}`
const privateKey = () => trader.privateKey as Hex
const token = (symbol: string) => findToken(stack.info, symbol)

const expectFields = (object: unknown, fields: string[]) =>
  expect(Object.keys(object as Json)).toEqual(expect.arrayContaining(fields))

const fillOrder = async () => {
  const uid = await fillSwap(stack.info, privateKey())
  const report = await getJson<{ trades: { txHash: string; auctionId: number }[] }>(api(`debug/order/${uid}`))
  const [trade] = report.trades
  if (!trade) throw new Error('no trade')
  return { uid, ...trade }
}

/** An order that stays open. */
const placeOrder = ({ privateKey: key } = trader) =>
  postSignedOrder(stack.info, key as Hex, {
    ...{ sellToken: token('WETH').address as Address, buyToken: token('USDC').address as Address },
    ...{ sellAmount: 10n ** 15n + BigInt(Math.floor(Math.random() * 1e9)), buyAmount: 10n ** 12n },
  })

/** Signs for the local account of the example instead of the account in the example, whose key is not known. */
const authorize = async (action: string, subscription: string): Promise<string> => {
  const account = privateKeyToAccount(privateKey())
  const nonce = `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}` as const
  const deadline = Math.floor(Date.now() / 1_000) + 600
  const signature = await account.signTypedData({
    domain: { name: 'edgebook notifications', version: '1', chainId: stack.info.chainId },
    types: messageTypes,
    primaryType: 'ManageSubscriptions',
    message: { account: account.address, action, subscription, nonce, deadline: BigInt(deadline) },
  })
  return `EIP712 chainId=${stack.info.chainId}, nonce=${nonce}, deadline=${deadline}, signature=${signature}`
}

const subscribeAgain = async () => {
  const name = crypto.randomUUID()
  const { id } = await subscribe(stack.info, privateKey(), {
    ...{ channel: 'webhook', target: `${stack.info.sinksUrl}/webhooks/${name}` },
  })
  return id
}

const findMailToken = async (purpose: 'confirm' | 'unsubscribe'): Promise<string> => {
  const address = `${crypto.randomUUID()}@example.com`
  await subscribe(stack.info, privateKey(), { channel: 'email', target: address })
  const [mail] = await connectSinks(stack.info).list(`?channel=email&to=${address}`)
  const link = findLink(mail?.text, 'confirm')
  return purpose === 'confirm' ? (link.split('/').at(-1) ?? '') : 'A'.repeat(43)
}

/** The first trade of an account, with the code of the example, which is registered by then. */
const tradeWithCode = async (): Promise<string> => {
  const { address, privateKey: key } = await createTrader(stack)
  const uid = await postSignedOrder(stack.info, key as Hex, {
    ...{ sellToken: token('WETH').address as Address, buyToken: token('USDC').address as Address },
    ...{ sellAmount: 10n ** 16n, buyAmount: 1n },
    appData: JSON.stringify({ appCode: 'example', metadata: { referrer: { code: 'EXAMPLE-CODE' } } }),
  })
  const readStatus = async () => (await getJson<{ status: string }>(api(`orders/${uid}`))).status
  await expect.poll(readStatus, { timeout: patienceMs }).toBe('fulfilled')
  return address
}

/** The root of a tree with the proof of an example, which the trader sets in the registry. */
const setRoot = async ({ proof, params }: { proof: Hex[]; params: ConditionalParams }): Promise<Hex> => {
  const hash = hashParams(params)
  const nodes = [keccak256(hash), ...proof].toSorted()
  const data = encodeFunctionData({
    abi: composableCowAbi,
    functionName: 'setRoot',
    args: [keccak256(concatHex(nodes)), { location: 0n, data: '0x' }],
  })
  await sendFrom(stack.chain, trader.address, { to: networks.sepolia.composableCow, data })
  return hash
}
/** of the conditional order that the example of its POST stores */
let conditionalHash: Hex | undefined

type Own = { parameters?: Record<string, string | number>; body?: unknown }

/** Values for examples that only show a format: own orders, signatures and times. */
const ownValues: Record<string, (example: Operation) => Promise<Own>> = {
  'POST /{network}/api/v1/orders': async ({ body }) => {
    const { sellToken, buyToken, sellAmount, buyAmount } = body as Record<'sellToken' | 'buyToken', Address> &
      Record<'sellAmount' | 'buyAmount', string>
    const terms = { sellToken, buyToken, sellAmount: BigInt(sellAmount), buyAmount: BigInt(buyAmount) * 1_000_000n }
    const { validTo, from, receiver, signature } = await signOrder(stack.info, privateKey(), terms)
    return { body: { ...(body as Json), buyAmount: String(terms.buyAmount), validTo, from, receiver, signature } }
  },
  'DELETE /{network}/api/v1/orders': async ({ body }) => {
    const uid = (await placeOrder()) as Hex
    const { signature } = await signCancellations([uid], 'eip712', privateKeyToAccount(privateKey()))
    return { body: { ...(body as Json), orderUids: [uid], signature } }
  },
  'DELETE /{network}/api/v1/orders/{uid}': async ({ body }) => {
    const uid = (await placeOrder()) as Hex
    const account = privateKeyToAccount(privateKey())
    const signature = await account.sign({
      hash: hashTypedData({
        domain: {
          ...{ name: 'Gnosis Protocol', version: 'v2', chainId: stack.info.chainId },
          verifyingContract: stack.info.contracts.settlement as Address,
        },
        types: { OrderCancellation: [{ name: 'orderUid', type: 'bytes' }] },
        primaryType: 'OrderCancellation',
        message: { orderUid: uid },
      }),
    })
    return { parameters: { uid }, body: { ...(body as Json), signature } }
  },
  'POST /{network}/api/v1/conditional_orders': async ({ body }) => {
    const { proofs } = body as { proofs: Parameters<typeof setRoot>[0][] }
    if (proofs[0]) conditionalHash = await setRoot(proofs[0])
    return { body: { owner: trader.address, proofs } }
  },
  'GET /{network}/api/v1/conditional_orders/{owner}/{hash}': async () => ({
    parameters: { owner: trader.address, hash: conditionalHash ?? '' },
  }),
  'POST /{network}/api/v1/orders/by_uids': async () => ({ body: [filled.uid] }),
  'POST /affiliate/{walletAddress}': async ({ body }) => {
    const { code } = body as { code: string }
    const signedMessage = await signAffiliateCode(privateKeyToAccount(privateKey()), code)
    return {
      parameters: { walletAddress: trader.address },
      body: { code, walletAddress: trader.address, signedMessage },
    }
  },
  'GET /affiliate/typed-data': async () => ({}),
  'GET /affiliate/{walletAddress}': async () => ({ parameters: { walletAddress: trader.address } }),
  'GET /affiliate/affiliate-stats/{address}': async () => ({ parameters: { address: trader.address } }),
  'GET /affiliate/trader-stats/{address}': async () => ({ parameters: { address: await tradeWithCode() } }),
  'GET /ref-codes/{code}': async () => ({ parameters: { code: 'EXAMPLE-CODE' } }),
  'POST /accounts/{account}/subscriptions': async ({ body }) => {
    const account = privateKeyToAccount(privateKey())
    const { channel, target, types, networks } = body as {
      channel: string
      target: string
      types: string[]
      networks: number[]
    }
    const nonce = `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}` as const
    const deadline = Math.floor(Date.now() / 1_000) + 600
    const signature = await account.signTypedData({
      domain: { name: 'edgebook notifications', version: '1', chainId: stack.info.chainId },
      types: messageTypes,
      primaryType: 'Subscribe',
      message: {
        account: account.address,
        channel,
        target,
        types,
        networks: networks.map(BigInt),
        nonce,
        deadline: BigInt(deadline),
      },
    })
    return { parameters: { account: trader.address }, body: { ...(body as Json), nonce, deadline, signature } }
  },
  'GET /accounts/{account}/subscriptions': async () => ({
    parameters: { account: trader.address, authorization: await authorize('list', '') },
  }),
  'DELETE /accounts/{account}/subscriptions/{id}': async () => {
    const id = await subscribeAgain()
    return { parameters: { account: trader.address, id, authorization: await authorize('delete', id) } }
  },
  'POST /accounts/{account}/subscriptions/{id}/test': async () => {
    const id = await subscribeAgain()
    return { parameters: { account: trader.address, id, authorization: await authorize('test', id) } }
  },
  'POST /accounts/{account}/subscriptions/{id}/replay': async () => {
    const id = await subscribeAgain()
    return { parameters: { account: trader.address, id, authorization: await authorize('replay', id) } }
  },
  'GET /subscriptions/confirm/{token}': async () => ({ parameters: { token: await findMailToken('confirm') } }),
  'POST /subscriptions/confirm/{token}': async () => ({ parameters: { token: await findMailToken('confirm') } }),
  'POST /telegram/webhook': async () => ({
    parameters: { 'x-telegram-bot-api-secret-token': sinkSettings.telegramWebhookSecret },
  }),
  'GET /assets/{file}': async () => {
    const page = await fetch(stack.info.baseUrl, { headers: { Accept: 'text/html' } })
    return { parameters: { file: /\/assets\/([\w.-]+)"/.exec(await page.text())?.[1] ?? '' } }
  },
  'GET /auctions/{id}': async () => ({ parameters: { id: filled.auctionId } }),
  'GET /{chainId}/tokens/{token}/topHolders': async ({ parameters }) => {
    const { chainId, token } = Object.fromEntries(
      parameters.map(({ name, example, schema }) => [name, example ?? schema?.example]),
    )
    // the first request may meet an incomplete index
    const path = `/${chainId}/tokens/${token}/topHolders`
    const isIndexed = async () => (await fetch(stack.info.baseUrl + path)).status !== 503
    await waitUntil('a list of holders', isIndexed, { timeoutMs: patienceMs, intervalMs: 500 })
    return {}
  },
}

/** Examples of orders, transactions and auctions stand for existing ones. */
const existing = (): Record<string, string | number> => ({
  ...{ uid: filled.uid, hash: filled.txHash, tx_hash: filled.txHash, auction_id: filled.auctionId },
})

/** Routes of the operator are closed without the setting `DEBUG_TOKEN`, which this stack has not. */
const isOfOperator = ({ key }: Operation): boolean => /restricted\/api\/v1\/(?:pauses|fees)/.test(key)

/** @returns 101 once the connection is open */
const openSocket = async (): Promise<number> => {
  const socket = new WebSocket(stack.info.baseUrl.replace('http', 'ws') + api('ws'))
  const status = await new Promise<number>((resolve) => {
    socket.addEventListener('open', () => resolve(101))
    socket.addEventListener('error', () => resolve(0))
  })
  socket.close()
  return status
}

const send = async (operation: Operation): Promise<Response> => {
  const own = (await ownValues[operation.key]?.(operation)) ?? {}
  const isOfDocument = operation.key.includes('app_data')
  const [method = '', template = ''] = operation.key.split(' ')
  const query = new URLSearchParams()
  const headers = new Headers(operation.body === undefined ? {} : { 'Content-Type': 'application/json' })
  let path = template.replace('{network}', stack.info.network)
  for (const { in: place, name, example, schema } of operation.parameters) {
    const value = own.parameters?.[name] ?? (isOfDocument ? undefined : existing()[name]) ?? example ?? schema?.example
    if (value === undefined) continue
    if (place === 'path') path = path.replace(`{${name}}`, String(value))
    if (place === 'query') query.set(name, String(value))
    if (place === 'header') headers.set(name, String(value))
  }
  const body = operation.body === undefined ? null : JSON.stringify(own.body ?? operation.body)
  const url = `${stack.info.baseUrl}${path}${query.size > 0 ? `?${query}` : ''}`
  const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(60_000) })
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
  if (isStream && operation.key.startsWith('GET')) await response.body?.cancel()
  return response
}

test('every documented example succeeds with the documented status', async () => {
  const failed: string[] = []
  // uploads and registrations come before the requests that read them
  const rank = ({ key }: Operation) => ['PUT', 'POST', 'GET', 'DELETE'].indexOf(key.split(' ')[0] ?? '')
  for (const operation of operations.toSorted((a, b) => rank(a) - rank(b))) {
    if (operation.statuses.includes(101)) {
      if ((await openSocket()) !== 101) failed.push(`${operation.key}: no connection`)
      continue
    }
    const response = await send(operation).catch((error: Error) => {
      failed.push(`${operation.key}: ${error.message} ${error.cause}`)
    })
    if (!response) continue
    const expected = isOfOperator(operation) ? [401] : operation.statuses
    if (expected.includes(response.status)) continue
    failed.push(
      `${operation.key}: ${response.status} ${response.bodyUsed ? '' : (await response.text()).slice(0, 300)}`,
    )
  }
  expect(failed).toEqual([])
  expect(operations.length).toBeGreaterThan(80)
})

test('orders, quotes, debug reports and competitions have every field of the interface specification', async () => {
  const order = await getJson<Json>(api(`orders/${filled.uid}`))
  expectFields(order, orderFields)
  const body = {
    ...{ sellToken: token('WETH').address, buyToken: token('USDC').address, from: trader.address },
    ...{ kind: 'sell', sellAmountBeforeFee: String(10n ** 17n), validFor: 600 },
  }
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(stack.info.baseUrl + api('quote'), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const { quote, ...about } = (await response.json()) as Json
  expectFields(quote, quoteFields)
  expect(about).toMatchObject({
    expiration: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    ...{ verified: true, from: trader.address.toLowerCase(), id: expect.any(Number) },
  })
  const report = await getJson<Record<'auctions' | 'trades' | 'events', Json[]>>(api(`debug/order/${filled.uid}`))
  expectFields(report, ['orderUid', 'order', 'events', 'auctions', 'trades'])
  expect(report.events.map(({ label }) => label)).toContain('traded')
  expectFields(report.trades[0], tradeFields)
  for (const auction of report.auctions) expectFields(auction, auctionFields)
  const ids = report.auctions.map(({ id }) => Number(id))
  expect(ids).toEqual([...ids].sort((a, b) => a - b))
  const { auctionId, txHash } = filled
  const competition = await getJson<Json>(api(`solver_competition/${auctionId}`))
  expect(competition).toMatchObject({ auctionId, transactionHashes: [txHash], auction: { orders: expect.any(Array) } })
})
