import type { Address, Hex } from 'viem'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import type { Dice } from './createDice.ts'

/** The body of POST orders. */
export type OrderBody = Record<string, unknown>
export type ApiResponse = { status: number; body: unknown }

/** A running stack with the means of hostile actors. */
export type Arena = {
  stack: Stack
  seed: number
  honest: DevAccount
  /** run before the honest trader posts an order, with its body */
  beforePost: ((body: OrderBody) => Promise<void>)[]
  token: (symbol: string) => Address
  /** requests the order book of the network; `path` follows `/api/v1/` */
  request: (method: string, path: string, body?: unknown) => Promise<ApiResponse>
  /** sends a transaction without waiting for its block */
  send: (from: Address, to: Address, data: Hex, value?: bigint) => Promise<void>
  findHead: () => Promise<number>
  /** counts something that happened, for the report */
  count: (what: string) => void
}

/** One hostile actor. */
export type Actor = {
  name: string
  /** runs once while blocks still come at once */
  prepare?: () => Promise<void>
  /** least and longest pause between two acts, ms */
  pauseMs: readonly [number, number]
  act: () => Promise<void>
}

export type CreateActor = (arena: Arena, dice: Dice) => Actor
