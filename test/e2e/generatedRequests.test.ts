import fc from 'fast-check'
import { type Address, type Hex, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectTrader, type Trader } from '#tools/demo/connectTrader.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import {
  arbitraryRequest,
  type KnownValues,
  type RawRequest,
  weirdDocuments,
} from '../helpers/http/arbitraryRequest.ts'
import { connectRaw } from '../helpers/http/connectRaw.ts'
import { type ApiDocument, createOpenApiValidator } from '../helpers/http/openApiValidator.ts'
import { fillSwap } from '../helpers/orders/fillSwap.ts'
import { signOrder } from '../helpers/orders/signOrder.ts'
import { findToken } from '../helpers/stack/findToken.ts'
import { patientQuotes, startBareTestStack } from '../helpers/stack/testStack.ts'

let stack: Stack
let trader: Trader
/** a filled order */
let uid: string
const privateKey = () => stack.info.accounts[0]?.privateKey as Hex

beforeAll(async () => {
  const orders = { MAX_LIMIT_ORDERS_PER_USER: '100', MAX_UNSIGNED_ORDERS_PER_CLIENT: '100000' }
  stack = await startBareTestStack({ vars: { orders, quotes: patientQuotes } })
  trader = connectTrader(stack.info, privateKey())
  await trader.approveRelayer(token('WETH').address)
  uid = await fillSwap(stack.info, privateKey(), '0.1')
})
afterAll(() => stack?.stop())

const token = (symbol: string) => findToken(stack.info, symbol)

const count = Number(process.env.FUZZ_COUNT ?? (process.env.LONG ? 100_000 : 1_000))
const seed = Number(process.env.FUZZ_SEED ?? 1)
const lanes = 4

/** Values that the service knows, of the filled order. */
const findKnownValues = async (): Promise<KnownValues> => {
  const [trade] = await trader.orderBook.getTrades({ orderUid: uid })
  const order = await trader.orderBook.getOrder(uid)
  return {
    network: stack.info.network,
    ofPattern: {
      '^0x[0-9a-fA-F]{40}$': [trader.address, token('WETH').address, token('USDC').address, token('DAI').address],
      '^(?:0x)?[0-9a-fA-F]{64}$': [`${trade?.txHash}`, `${order.appDataHash}`],
      '^(?:0x)?[0-9a-fA-F]{112}$': [uid],
      '^(0x[0-9a-fA-F]{40}|-)-(0x[0-9a-fA-F]{40}|-)$': [`--${token('USDC').address}`],
      '^\\d+$': ['1', '1000000', '100000000000000000', '1000000000000000000'],
    },
    bodies: await buildBodies(privateKey(), trader.address as Address),
  }
}

/** A presigned order is accepted without a signature, with any terms. */
const buildBodies = async (key: Hex, from: Address): Promise<KnownValues['bodies']> => {
  const tokens = { sellToken: token('WETH').address, buyToken: token('USDC').address }
  const terms = { ...tokens, sellAmount: parseUnits('0.1', 18), buyAmount: parseUnits('1000000', 6) }
  const validTo = Math.floor(Date.now() / 1_000) + 6_000
  const signed = await signOrder(stack.info, key, { ...terms, validTo })
  const presigned = [...weirdDocuments, ...Array.from({ length: 20 }, () => '{}')].map((appData, i) => {
    const { appDataHash: _, ...order } = { appDataHash: '', ...signed }
    return { ...order, from, appData, validTo: validTo + i, signingScheme: 'presign', signature: '0x' }
  })
  const quote = { ...tokens, from, kind: 'sell', sellAmountBeforeFee: '1000000000000000000' }
  const quotes = [
    quote,
    { ...tokens, from, kind: 'buy', buyAmountAfterFee: '1000000' },
    ...weirdDocuments.map((appData) => ({ ...quote, appData })),
  ]
  const documents = ['{"appCode":"fuzz"}', ...weirdDocuments].map((fullAppData) => ({ fullAppData }))
  const cancellation = { signature: signed.signature, signingScheme: 'eip712' }
  const api = '/{network}/api/v1'
  return {
    [`POST ${api}/orders`]: [signed, ...presigned],
    [`POST ${api}/orders/simulate`]: [signed, { ...signed, signature: undefined }, ...presigned],
    [`DELETE ${api}/orders`]: [{ ...cancellation, orderUids: [uid] }],
    [`DELETE ${api}/orders/{uid}`]: [cancellation],
    [`POST ${api}/quote`]: quotes,
    'POST /{chainId}/simulation/simulateBundle': [
      [
        { from, to: tokens.sellToken, input: '0x', value: '1000' },
        { from, to: tokens.sellToken, input: `0x2e1a7d4d${'3e8'.padStart(64, '0')}`, gas: 100_000 },
      ],
    ],
    'POST /{chainId}/yield/pools': [[], [tokens.sellToken]],
    [`POST ${api}/quote/stream`]: quotes,
    [`PUT ${api}/app_data`]: documents,
    [`PUT ${api}/app_data/{hash}`]: documents,
    'POST /affiliate/{walletAddress}': [{ walletAddress: from, code: 'FUZZ-1', signedMessage: signed.signature }],
    'POST /{chainId}/tokens/details': [{ tokenAddresses: Object.values(tokens) }],
    'POST /{chainId}/tokens/prices': [{ tokenAddresses: Object.values(tokens) }],
  }
}

test(
  `${count} generated requests cause no internal failure and no undocumented response (FUZZ_SEED=${seed})`,
  async () => {
    const document = (await (await fetch(`${stack.info.baseUrl}/openapi.json`)).json()) as ApiDocument
    const validate = createOpenApiValidator(document)
    const known = await findKnownValues()
    const { send, close } = connectRaw(stack.info.baseUrl, lanes)
    /** to send again, alone */
    const refused: RawRequest[] = []
    const check = async (request: RawRequest, isAlone: boolean) => {
      const answer = await send(request)
      const deviations = validate({ ...answer, method: request.method, path: request.path.split(/[?#]/)[0] ?? '' })
      if (!isAlone && isRetryable(answer)) refused.push(request)
      else if (answer.status >= 500 && !isUnready(request, answer)) deviations.push('a failure of ours')
      expect(deviations, `${toReproducer(request)} → ${answer.status} ${answer.body.slice(0, 300)}`).toEqual([])
    }
    const property = fc.asyncProperty(arbitraryRequest(document, known), (request) => check(request, false))
    const runs = Array.from({ length: lanes }, (_, lane) =>
      fc.assert(property, { seed: seed * lanes + lane, numRuns: Math.ceil(count / lanes) }),
    )
    await Promise.all(runs)
    for (const request of refused) await check(request, true)
    close()
  },
  160_000 + count * 20,
)

/** Reports a late auction of an overloaded machine: no failure of this request, and `validate` knows its form. */
const isUnready = ({ path }: RawRequest, { status }: { status: number }): boolean =>
  status === 503 && /^\/readyz([?#]|$)/.test(path)

/** Says that a repetition helps, as on an overloaded machine. */
const isRetryable = ({ status, body }: { status: number; body: string }): boolean =>
  status === 503 && body.includes('"retryable":true')

const toReproducer = ({ method, path, headers, body }: RawRequest): string => {
  const sent = body instanceof Uint8Array ? `bytes ${Buffer.from(body).toString('hex')}` : (body ?? '')
  return `${method} ${path} ${JSON.stringify(headers)} ${sent}`.slice(0, 1_500)
}
