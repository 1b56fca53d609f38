import { afterAll, beforeAll, expect, test } from 'vitest'
import { networks } from '../../../shared/networks.ts'
import { publicContracts } from '../../../shared/strategies/publicContracts.ts'
import { delegateAccount } from '../../../test/helpers/chain/conditionalAccount.ts'
import { type SettlementChain, startSettlementChain } from '../../../test/helpers/chain/settlementChain.ts'
import { deployStrategySafe } from '../../../test/helpers/chain/strategySafe.ts'
import { deployComposableCow } from '../../../tools/stack/chain/contracts/deployComposableCow.ts'
import { devAccounts } from '../../../tools/stack/chain/devAccounts.ts'
import type { EthereumProvider } from '../../wallet/ethereumProvider.ts'
import { readSafeSetUp } from './safeSetUp.ts'

const network = networks.sepolia
const complete = { fallbackHandler: publicContracts.fallbackHandler, verifier: network.composableCow }
let chain: SettlementChain

beforeAll(async () => {
  chain = await startSettlementChain()
  await deployComposableCow(chain.chain)
})
afterAll(() => chain?.stop())

const read = (account: string, of: typeof network = network) =>
  readSafeSetUp({ request: chain.chain.request } as unknown as EthereumProvider, of, account)

test('a Safe and an account that delegates to ConditionalAccount are set up, other accounts are neither', async () => {
  const [delegating, plain] = [devAccounts[5], devAccounts[4]]
  expect(await read(delegating.address)).toBeNull()
  await delegateAccount(chain.chain, delegating)
  expect(await read(delegating.address)).toEqual(complete)
  // of another registry
  expect(await read(delegating.address, { ...network, composableCow: plain.address })).toBeNull()
  expect(await read((await deployStrategySafe(chain.chain, devAccounts[6])).address)).toEqual(complete)
  for (const account of [plain.address, network.composableCow]) expect(await read(account)).toBeNull()
})
