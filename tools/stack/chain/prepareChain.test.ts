import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, erc20Abi, parseAbi, parseEther, parseUnits } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { networks } from '#shared/networks.ts'
import { findPort } from '../processes/findPort.ts'
import { type Reaper, startReaper } from '../processes/startReaper.ts'
import { devAccounts, devMnemonic } from './devAccounts.ts'
import { type PreparedChain, prepareChain } from './prepareChain.ts'
import { type Anvil, startAnvil } from './startAnvil.ts'

const parties = {
  solvers: [devAccounts[8].address, devAccounts[9].address],
  traders: [devAccounts[0].address, devAccounts[1].address],
}

let dir: string
let reaper: Reaper
let anvil: Anvil
let prepared: PreparedChain

const start = async (): Promise<Anvil> =>
  startAnvil({ dir, port: await findPort(0, 'RPC_PORT'), chainId: networks.sepolia.chainId, blockTime: 2, reaper })

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'chain-'))
  await mkdir(join(dir, 'logs'))
  reaper = startReaper()
  anvil = await start()
  prepared = await prepareChain(anvil.chain, parties)
})

afterAll(async () => {
  await anvil?.stop()
  reaper?.close()
  await rm(dir, { recursive: true, force: true })
})

const balanceOf = (token: Address, owner: Address): Promise<bigint> =>
  anvil.chain.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

describe('prepareChain', () => {
  test('deploys every contract at its public address', async () => {
    const { contracts } = prepared
    expect(contracts.settlement).toBe(networks.sepolia.settlementContract)
    for (const address of Object.values(contracts)) expect(await anvil.chain.getCode({ address })).toBeDefined()
    expect(
      await anvil.chain.readContract({
        address: contracts.settlement,
        abi: parseAbi(['function domainSeparator() view returns (bytes32)']),
        functionName: 'domainSeparator',
      }),
    ).toBe('0xdaee378bd0eb30ddf479272accf91761e697bc00e067a268f95f1d2732ed230b')
    for (const solver of parties.solvers)
      expect(
        await anvil.chain.readContract({
          address: contracts.authenticator,
          abi: parseAbi(['function isSolver(address) view returns (bool)']),
          functionName: 'isSolver',
          args: [solver],
        }),
      ).toBe(true)
  })

  test('deploys tokens with their metadata and funds the traders', async () => {
    for (const [symbol, { address, decimals }] of Object.entries(prepared.tokens)) {
      const contracts = (['symbol', 'decimals'] as const).map((functionName) => ({
        address,
        abi: erc20Abi,
        functionName,
      }))
      const multicallAddress = prepared.contracts.multicall3
      expect(await anvil.chain.multicall({ contracts, multicallAddress, allowFailure: false })).toEqual([
        symbol,
        decimals,
      ])
    }
    for (const trader of parties.traders) {
      expect(await balanceOf(prepared.tokens.WETH.address, trader)).toBe(parseEther('100'))
      expect(await balanceOf(prepared.tokens.USDC.address, trader)).toBe(parseUnits('500000', 6))
    }
  })

  test('changes nothing on a second run', async () => {
    const countTransactions = () =>
      Promise.all(devAccounts.map(({ address }) => anvil.chain.getTransactionCount({ address })))
    const before = await countTransactions()
    expect(await prepareChain(anvil.chain, parties)).toEqual(prepared)
    expect(await countTransactions()).toEqual(before)
  })

  test('restores contracts, balances, logs and time after kill -9', async () => {
    await anvil.chain.increaseTime({ seconds: 100 })
    await anvil.chain.mine({ blocks: 1 })
    // a block mined during these reads would not be in the snapshot
    const head = await anvil.chain.getBlock()
    await anvil.keep()
    const block = await anvil.chain.getBlock({ blockNumber: 10n })
    const logs = await anvil.chain.getLogs({ fromBlock: 0n })
    await anvil.group.kill()

    anvil = await start()
    expect(anvil.isNew).toBe(false)
    expect((await anvil.chain.getBlock({ blockNumber: 10n })).hash).toBe(block.hash)
    expect(await anvil.chain.getLogs({ fromBlock: 0n })).toEqual(logs)
    expect(await prepareChain(anvil.chain, parties)).toEqual(prepared)
    await anvil.chain.mine({ blocks: 1 })
    const next = await anvil.chain.getBlock()
    expect(next.number).toBeGreaterThan(head.number)
    expect(next.timestamp).toBeGreaterThanOrEqual(head.timestamp)
    expect(JSON.parse(await readFile(join(dir, 'chain/state.json'), 'utf8')).best_block_number).toBeDefined()
  })
})

test('derives devAccounts from their mnemonic', () => {
  for (const addressIndex of [0, 9] as const) {
    const account = mnemonicToAccount(devMnemonic, { addressIndex })
    const privateKey = `0x${Buffer.from(account.getHdKey().privateKey ?? []).toString('hex')}`
    expect(devAccounts[addressIndex]).toEqual({ address: account.address.toLowerCase(), privateKey })
  }
})
