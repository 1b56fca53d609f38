import type { Page } from 'playwright-core'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { StackInfo } from '#tools/stack/stackInfo.ts'

type Answer = (params: unknown[]) => unknown

/** A browser wallet controlled by tests. */
export type TestWallet = {
  name: string
  /** Announces the wallet to a page, from its next load on. */
  install: (page: Page) => Promise<void>
  /** called methods, in order */
  asked: string[]
  /** sets the response to a method, in place of the default; it may throw wallet errors */
  answers: Record<string, Answer>
  /** Withholds the default responses of a method. @returns function that releases them, and later ones */
  hold: (method: string) => () => void
  /** Emits an event to the page with the wallet: `accountsChanged`. */
  emit: (event: string, value: unknown) => Promise<void>
}

const name = 'Test wallet'

/** EIP-1193 error when the user rejects. */
export const rejection = { code: 4001, message: 'User denied message signature.' }

/**
 * A wallet for a page, as an extension announces it (EIP-6963). It has the key of one account, uses the stack's network,
 * and never prompts.
 */
export const createWallet = (
  { rpcUrl, chainId }: Pick<StackInfo, 'rpcUrl' | 'chainId'>,
  privateKey: Hex,
): TestWallet => {
  const signer = privateKeyToAccount(privateKey)
  const plain: Record<string, Answer> = {
    eth_requestAccounts: () => [signer.address],
    eth_accounts: () => [signer.address],
    eth_chainId: () => `0x${chainId.toString(16)}`,
    eth_signTypedData_v4: ([, typedData]) => signer.signTypedData(JSON.parse(String(typedData))),
  }
  const respondByDefault = (method: string, params: unknown[]) =>
    plain[method]?.(params) ?? callNode(rpcUrl, method, params)
  const asked: string[] = []
  const answers: Record<string, Answer> = {}

  const answer = async (method: string, params: unknown[]) => {
    asked.push(method)
    try {
      return { result: await (answers[method]?.(params) ?? respondByDefault(method, params)) }
    } catch (error) {
      const { code, message } = error as { code?: number; message: string }
      return { error: { code, message } }
    }
  }
  let owner: Page | undefined
  return {
    name,
    install: async (page) => {
      owner = page
      await page.exposeFunction('requestWallet', answer)
      await page.addInitScript(announcement)
    },
    asked,
    answers,
    hold: (method) => {
      const held = Promise.withResolvers<void>()
      answers[method] = async (params) => {
        await held.promise
        return respondByDefault(method, params)
      }
      return held.resolve
    },
    emit: async (event, value) => {
      await owner?.evaluate(`window.emitFromWallet('${event}', ${JSON.stringify(value)})`)
    },
  }
}

const announcement = `{
  const listeners = new Map()
  const provider = {
    request: async ({ method, params = [] }) => {
      const { result, error } = await window.requestWallet(method, params)
      if (error) throw Object.assign(new Error(error.message), error)
      return result
    },
    on: (event, listener) => listeners.set(event, listener),
    removeListener: (event) => listeners.delete(event),
  }
  window.emitFromWallet = (event, value) => listeners.get(event)?.(value)
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
  const info = { uuid: '1', name: '${name}', rdns: 'test.wallet', icon }
  const announce = () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
  // an announcement of something that is not a wallet
  window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { rdns: 7 } } }))
}`

/** @throws the error of the response */
export const callNode = async (rpcUrl: string, method: string, params: unknown[]): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(rpcUrl, { method: 'POST', headers, body })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
  if (error) throw error
  return result
}
