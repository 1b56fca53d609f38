import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Address } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DevAccount, devAccounts } from '#tools/stack/chain/devAccounts.ts'
import { fundAccounts } from '#tools/stack/chain/fundAccounts.ts'
import { createTokenlessAccount } from '../helpers/orders/createTrader.ts'
import { postSignedOrder } from '../helpers/orders/postSignedOrder.ts'
import { type SharedStack, useSharedStack } from '../helpers/stack/useSharedStack.ts'

let stack: SharedStack

beforeAll(async () => {
  stack = await useSharedStack()
})
afterAll(() => stack?.stop())

const findOrder = async (uid: string | undefined): Promise<object> => {
  const response = await fetch(`${stack.info.baseUrl}/${stack.info.network}/api/v1/orders/${uid}`)
  expect(response.status).toBe(200)
  return (await response.json()) as object
}

/** An order that stays open. */
const placeOrder = ({ privateKey }: DevAccount) =>
  postSignedOrder(stack.info, privateKey, {
    ...{ sellToken: stack.info.tokens.WETH?.address as Address, buyToken: stack.info.tokens.USDC?.address as Address },
    ...{ sellAmount: 10n ** 15n, buyAmount: 10n ** 12n },
  })

/** Snippets of the quick start by client and step, as a reader copies them. */
const readSnippets = async (): Promise<Map<string, Map<string, string>>> => {
  const page = await (await fetch(`${stack.info.baseUrl}/docs`)).text()
  const found = page.matchAll(/<pre data-client="(\w+)"><code data-step="(\w+)">(.*?)<\/code>/gs)
  const snippets = new Map<string, Map<string, string>>()
  for (const [, client = '', step = '', code = ''] of found) {
    const steps = snippets.get(client) ?? new Map<string, string>()
    snippets.set(client, steps.set(step, code.replaceAll('&lt;', '<').replaceAll('&amp;', '&')))
  }
  return snippets
}

const quickStart = ['setUp', 'approve', 'quote', 'sign', 'submit', 'follow', 'cancel']

const hasProgram = (name: string) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)))

type Client = {
  program: string
  args: string[]
  file: string
  /** of the node, which signs for it; else a new one, whose key the client has */
  account?: DevAccount
  /** names the order to cancel */
  setUid: (uid: string) => string
}

/** The account that the snippets name, and one in its place that the node signs for. */
const [snippetAccount, , , , signedByNode] = devAccounts
const script = { program: process.execPath, args: [], setUid: (uid: string) => `const uid = '${uid}'` }

/** How a reader runs the snippets. */
const clients: Record<string, Client> = {
  sdk: { ...script, file: 'sdk.mjs' },
  fetch: { ...script, file: 'fetch.mjs' },
  curl: {
    program: 'bash',
    args: ['-euo', 'pipefail'],
    file: 'curl.sh',
    account: signedByNode,
    setUid: (uid) => `ORDER=${uid}`,
  },
}

/**
 * Runs the snippets as one program, against this stack and with an account in the place of the one that they name.
 * @param until ends a program that follows events until it is interrupted
 * @returns everything that it printed
 */
const runSnippets = async (
  { program, args, file }: Client,
  account: DevAccount,
  codes: string[],
  until?: string,
): Promise<string> => {
  // beside the packages that the snippets import
  const folder = await mkdtemp(join(import.meta.dirname, '../../node_modules/.cache/quick-start-'))
  try {
    const source = codes
      .join('\n')
      .replaceAll('http://localhost:8787/sepolia', `${stack.info.baseUrl}/${stack.info.network}`)
      .replaceAll('http://localhost:8545', stack.info.rpcUrl)
      .replaceAll(snippetAccount.address, account.address)
      .replaceAll(snippetAccount.privateKey, account.privateKey)
    await writeFile(join(folder, file), source)
    const child = spawn(program, [...args, join(folder, file)], { detached: true })
    let output = ''
    const end = () => process.kill(-(child.pid ?? 0))
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data
        if (until !== undefined && output.includes(until) && child.exitCode === null && child.signalCode === null) end()
      })
    }
    const [code, signal] = await once(child, 'close')
    if (code !== 0 && signal === null) throw new Error(`${file} exits with ${code}:\n${output}`)
    return output
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe.each(Object.entries(clients))('the quick start for %s', (name, client) => {
  const isRunnable = name !== 'curl' || ['bash', 'curl', 'jq'].every(hasProgram)

  test.runIf(isRunnable)('trades and cancels as it is written', async () => {
    const { setUid } = client
    const account = client.account ?? (await createTokenlessAccount(stack))
    await fundAccounts(stack.chain, stack.info.tokens as Parameters<typeof fundAccounts>[1], [account.address])
    const steps = (await readSnippets()).get(name)
    expect([...(steps?.keys() ?? [])]).toEqual(quickStart)
    const code = (step: string) => steps?.get(step) ?? ''
    const trade = quickStart.slice(0, -1).map(code)
    // curl follows the events until it is interrupted
    const output = await runSnippets(client, account, trade, name === 'curl' ? '"label":"traded"' : undefined)
    const [uid] = /0x[0-9a-f]{112}/.exec(output) ?? []
    expect(uid, output).toContain(account.address.slice(2))
    expect(await findOrder(uid)).toMatchObject({ status: 'fulfilled' })

    const open = await placeOrder(account)
    await runSnippets(client, account, [...['setUp', 'quote', 'sign'].map(code), setUid(open), code('cancel')])
    expect(await findOrder(open)).toMatchObject({ status: 'cancelled' })
  })
})
