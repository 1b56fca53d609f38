import type { Address, Hex } from 'viem'
import type { BadNode } from '#tools/stack/chain/badNode.ts'
import type { DevAccount } from '#tools/stack/chain/devAccounts.ts'
import type { Stack } from '#tools/stack/startStack.ts'
import type { DriverBehaviour } from '../solvers/testDriver.ts'
import type { Dice } from './createDice.ts'

/** The body of POST orders. */
export type OrderBody = Record<string, unknown>
export type ApiResponse = { status: number; body: unknown }

/** A running stack with the means of hostile actors. */
export type Arena = {
  stack: Stack
  seed: number
  honest: DevAccount
  /** nodes between the chain and the order book, and between the chain and its own solvers */
  nodes: Record<'orderBook' | 'solvers', BadNode>
  /** what the allow-listed foreign solvers do; they do nothing until an actor changes it */
  drivers: Record<'lying' | 'silent', DriverBehaviour>
  /** run before the honest trader posts an order, with its body */
  beforePost: ((body: OrderBody) => Promise<void>)[]
  /** stretches of blocks lost to a fault of a node or a reorganisation, both ends included */
  outages: { first: number; last: number }[]
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
  /** undoes effects that would disturb the comparison at the end; everything else remains hostile */
  stop?: () => Promise<void> | void
}

export type CreateActor = (arena: Arena, dice: Dice) => Actor
