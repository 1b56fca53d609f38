import { spawn } from 'node:child_process'
import { networks } from '#shared/networks.ts'
import { connectLocalChain, type LocalChain } from '#tools/stack/chain/connectLocalChain.ts'
import { deployHooksTrampoline } from '#tools/stack/chain/contracts/deployHooksTrampoline.ts'
import { deployMulticall3 } from '#tools/stack/chain/contracts/deployMulticall3.ts'
import { deployWrappedNative } from '#tools/stack/chain/contracts/deployWrappedNative.ts'
import { findAnvilBinary } from '#tools/stack/chain/findAnvilBinary.ts'
import { findPort } from '#tools/stack/processes/findPort.ts'
import { type Reaper, startReaper } from '#tools/stack/processes/startReaper.ts'
import { waitUntil } from '#tools/stack/processes/waitUntil.ts'

export type TestChain = { rpcUrl: string; chain: LocalChain; stop: () => Promise<void> }

/** Ends the chains that the tests of this process leave running. */
let reaper: Reaper | undefined

/** A local chain with Multicall3, the wrapped native token and the hooks trampoline only. */
export const startTestChain = async (): Promise<TestChain> => {
  const { chainId } = networks.sepolia
  const port = await findPort(0, 'port')
  const args = ['--port', String(port), '--chain-id', String(chainId), '--silent']
  const child = spawn(findAnvilBinary(), args, { detached: true, stdio: 'ignore' })
  const ended = new Promise<string>((resolve) => child.once('exit', (code) => resolve(`anvil exited with ${code}`)))
  const { pid } = child
  if (pid === undefined) throw new Error('anvil did not start')
  reaper ??= startReaper()
  reaper.add(pid)
  const rpcUrl = `http://127.0.0.1:${port}`
  const chain = connectLocalChain(rpcUrl, chainId)
  await waitUntil('anvil', async () => (await chain.getChainId()) === chainId, { timeoutMs: 120_000, ended })
  await deployMulticall3(chain)
  await deployHooksTrampoline(chain)
  await deployWrappedNative(chain)
  return {
    rpcUrl,
    chain,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
      reaper?.remove(pid)
    },
  }
}
