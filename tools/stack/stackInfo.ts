import { readFileSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Address } from 'viem'
import type { DevAccount } from './chain/devAccounts.ts'
import type { PreparedChain } from './chain/prepareChain.ts'

/** Facts that a client needs to trade on a running stack; `stack.json` in the stack's folder. */
export type StackInfo = {
  /** without the network: `<baseUrl>/<network>/api/v1/…` */
  baseUrl: string
  /** receives webhooks, e-mails, Telegram messages and pushes; a page, and `/messages` */
  sinksUrl: string
  network: string
  chainId: number
  rpcUrl: string
  /** endpoint of Neon's HTTP protocol */
  databaseEndpoint: string
  /** connection string with which `neon()` finds that endpoint */
  databaseUrl: string
  contracts: PreparedChain['contracts']
  /** by symbol */
  tokens: Record<string, { address: Address; decimals: number }>
  /** accounts with ether and every token, and no approval */
  accounts: DevAccount[]
  solvers: { name: string; address: Address }[]
}

export const stackInfoFile = (dir: string): string => join(dir, 'stack.json')

export const writeStackInfo = async (dir: string, info: StackInfo): Promise<void> => {
  const file = stackInfoFile(dir)
  await writeFile(`${file}.new`, `${JSON.stringify(info, null, 2)}\n`)
  await rename(`${file}.new`, file)
}

/** @throws Error when no stack runs in `dir` */
export const readStackInfo = (dir: string): StackInfo => {
  try {
    return JSON.parse(readFileSync(stackInfoFile(dir), 'utf8'))
  } catch {
    throw new Error(`no stack is running in ${dir}: start one with npm start`)
  }
}
