import { type Address, type Hex, keccak256, toHex } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { ConditionalParams } from '#shared/strategies/hashParams.ts'
import { createDice, type Dice } from '../helpers/hostile/createDice.ts'
import type { Audit } from './audit.ts'
import { toBalanceKey } from './chain/contracts/tokenCode.ts'
import type { Block, Chain } from './chain/createChain.ts'
import type { HiddenLogs } from './chain/createNode.ts'
import { toWeiKey } from './chain/machine.ts'
import type { SimulatedDatabase } from './database/openSimulatedDatabase.ts'
import type { Works } from './market.ts'
import type { Usage } from './platform/createUsage.ts'
import type { ClientResponse, Service } from './service.ts'

/** An account with a key. */
export type SimulatedAccount = { name: string; address: Address; privateKey: Hex; signer: PrivateKeyAccount }

/** The same name gives the same account. */
export const createAccount = (name: string): SimulatedAccount => {
  const privateKey = keccak256(toHex(`key of ${name}`))
  const signer = privateKeyToAccount(privateKey)
  return { name, privateKey, signer, address: signer.address.toLowerCase() as Address }
}

/** Disturbances of the world; an oracle expects nothing of the service while they last. */
export type Weather = {
  /** blocks that the node lags behind */
  lag: number
  /** logs that the node leaves out */
  hidesLogs: HiddenLogs | undefined
  /** whether it leaves out a part of a block's logs: the index then lacks them until `disturbedAt` */
  isForgetting: boolean
  /** part of the node's requests that fail */
  nodeFailures: number
  /** requests per second that the node accepts; 0: all */
  nodeLimit: number
  /** part of the database's requests that fail */
  databaseFailures: number
  /** part of the batches that the queue of deliveries does not accept */
  queueFailures: number
  /** last block with a disturbance of any kind */
  disturbedAt: number
  /** blocks that reorganisations replaced, up to the first new one */
  replaced: { from: number; to: number }[]
}

/** Hooks of an order: the first runs before its first trade, the second after each of its trades. */
export type OrderHook = {
  /** the contract that they call, under their labels */
  wallet: Address
  before: Hex
  after: Hex
  /** sell token atoms that the first pays to the owner */
  releases: bigint
}

/** An order that a trader placed, with what the trader knows of it. */
export type PlacedOrder = {
  uid: Hex
  trader: string
  owner: Address
  receiver: Address
  sellToken: Address
  buyToken: Address
  sellAmount: bigint
  buyAmount: bigint
  kind: 'sell' | 'buy'
  partiallyFillable: boolean
  validTo: number
  /** `native`: a contract owns it and signs while its user has it placed; `validTo` is the user's */
  scheme: 'eip712' | 'presign' | 'eip1271' | 'native'
  /** what its hooks do; undefined without hooks */
  hook: OrderHook | undefined
  /** the quote that prices it, named or found by its terms */
  quoteId: number | undefined
  /** amounts of that quote after its network fee, atoms */
  quoted: { sellAmount: bigint; buyAmount: bigint } | undefined
  /** those of its app data, in their order */
  partnerFees: readonly FeeShare[]
  /** its owner lets each settlement fail, so nothing is expected of it */
  isTrap: boolean
  /** Unix seconds before which it enters no auction */
  validFrom: number
  /** block at its placement */
  placedAt: number
  /** block of its cancellation, on- or off-chain */
  cancelledAt: number | undefined
  /** hash of the conditional order of its owner whose part it is */
  conditional?: Hex
}

/** A conditional order that an owner authorises. */
export type Strategy = { owner: Address; hash: Hex; params: ConditionalParams }

/** The dry run of an order directly before its placement. */
export type Prediction = {
  /** what is wrong with the order; empty: nothing but its price and its size */
  fault: string
  fillable: boolean
  /** whether everything was read that fillable orders need */
  isCertain: boolean
  /** `fillableNow`, of its exact side, atoms */
  least: bigint
  /** of the failed checks */
  reasons: readonly string[]
  /** the first of the two blocks that the dry run tried; null: none */
  block: number | null
  /** whether the order can settle in a block; undefined: alike in all of them */
  works: Works | undefined
  /** whether the dry run tries what decides that in both blocks: of a bought token only the quote does, in one of them */
  isTried: boolean
  /** words on which the order depends, as they are at its dry run */
  words: ReadonlyMap<string, bigint>
  validTo: number
  /** of the placement */
  status: number
  errorType: string | undefined
  uid: Hex | undefined
  placedAt: number
}

/** A fee of the volume, or a part of a gain with its bound as a part of the volume; 1/10000. */
export type FeeShare =
  | { kind: 'volume'; bps: bigint }
  | { kind: 'surplus' | 'priceImprovement'; bps: bigint; capBps: bigint }

/** Amounts of a rung of a quote, atoms. */
type Rung = { sellAmount: string; buyAmount: string }

/** Fields of a quote's response that actors use. */
export type ClientQuote = {
  id: number
  verified: boolean
  quote: { sellAmount: string; buyAmount: string; feeAmount: string; kind: 'sell' | 'buy' }
  expiration: string
  amounts: { beforeAllFees: Rung; afterNetworkFee: Rung; afterSlippage: Rung }
  signable: {
    order: { sellAmount: string; buyAmount: string; validTo: number; kind: 'sell' | 'buy'; partiallyFillable: boolean }
  } | null
}

/** The response to a request for a quote. */
export type GivenQuote = {
  sellToken: Address
  buyToken: Address
  /** for orders that a contract places on-chain; others can only name it */
  isForChain: boolean
  /** blocks at the request and at its response */
  requestedAt: number
  respondedAt: number
  status: number
  /** undefined: refused */
  quoted: ClientQuote | undefined
}

/** The world as actors and invariants see and use it. */
export type World = {
  chain: Chain
  service: Service
  database: SimulatedDatabase
  weather: Weather
  /** whether some solvers promise what they do not settle */
  hasBadSolvers: boolean
  /** solvers whose revealed calldata keeps a promise that their transactions break */
  breaking: readonly Address[]
  /** protocol fees of all orders, in the order of application */
  fees: readonly FeeShare[]
  /** steps of the clock that failed since the last check */
  failedSteps: string[]
  /** Responses of an actor to requests at a path of `hooksHost`. */
  receivers: Map<string, (request: Request) => Promise<Response>>
  /** what the service uses of the platform */
  usage: Usage
  /** waits in virtual time */
  sleep: (milliseconds: number) => Promise<void>
  orders: Map<Hex, PlacedOrder>
  strategies: Strategy[]
  /** all responses, the oldest first */
  quotes: GivenQuote[]
  /** responses to actors since the last check */
  responses: ClientResponse[]
  /** dry runs that were not compared with the chain yet */
  predictions: Prediction[]
  /** what public routes stated of orders since the last check */
  audits: Audit[]
  dice: (name: string) => Dice
  log: (kind: string, facts: Record<string, unknown>) => void
  now: () => number
  /** Sends a transaction of an account with the next free nonce. */
  transact: (from: Address, to: Address, data: Hex, options?: { tip?: bigint; value?: bigint; delay?: number }) => void
  give: (token: Address, to: Address, amount: bigint) => void
}

/** One participant: it acts once per block. */
export type Participant = { name: string; act: (block: Block) => unknown }

const gas = 1_000_000n
const defaultTip = 10n ** 9n

/** Ways in which accounts change the chain. */
export const createAccess = (chain: Chain): Pick<World, 'transact' | 'give'> => {
  let sent = 0
  return {
    transact: (from, to, data, { tip = defaultTip, value = 0n, delay = 1 } = {}) => {
      sent += 1
      const nonce = chain.countPendingNonce(from)
      chain.submit({
        hash: keccak256(toHex(`${sent} ${from} ${nonce} ${data}`)),
        ...{ from, to, data, value, gas, nonce },
        maxFeePerGas: 100n * 10n ** 9n + tip,
        maxPriorityFeePerGas: tip,
        notBefore: chain.head().number + delay,
      })
    },
    give: (token, to, amount) => {
      chain.store.set(toBalanceKey(token, to), chain.store.get(toBalanceKey(token, to)) + amount)
      chain.store.set(toWeiKey(to), 10n ** 21n)
    },
  }
}

/** Text of values with bigints, as in the log. */
export const toLogText = (value: unknown): string =>
  JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? field.toString() : field))

export const createDiceBox =
  (seed: number): World['dice'] =>
  (name) =>
    createDice(seed, name)
