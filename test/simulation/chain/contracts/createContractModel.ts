import { type Address, type Hex, maxUint256 } from 'viem'
import { networks } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { devAccounts } from '#tools/stack/chain/devAccounts.ts'
import type { SettlementChain } from '../../../helpers/chain/settlementChain.ts'
import { type Chain, createChain } from '../createChain.ts'
import { toWeiKey } from '../machine.ts'
import { createEthFlowCode } from './ethFlowCode.ts'
import { createAuthenticatorCode, createSettlementCode, createVaultRelayerCode } from './settlementCode.ts'
import { createTokenCode, toAllowanceKey, toBalanceKey } from './tokenCode.ts'

const { settlementContract, vaultRelayer, wrappedNative, ethFlow, chainId } = networks.sepolia
const authenticator: Address = `0x${'a0'.repeat(20)}`
const accounts = devAccounts.map(({ address }) => address)

/** The contracts and funds of a local chain in the model. */
export const createContractModel = (
  { tokens: { DAI, COW }, owner, solver }: Pick<SettlementChain, 'tokens' | 'owner' | 'solver'>,
  genesisTime: number,
): Chain => {
  const domainSeparator = computeDomainSeparator(chainId, settlementContract)
  const terms = { authenticator, vaultRelayer, chainId, domainSeparator }
  const chain = createChain({
    contracts: new Map([
      [settlementContract, createSettlementCode(terms)],
      [vaultRelayer, createVaultRelayerCode(settlementContract)],
      [authenticator, createAuthenticatorCode(new Set([solver]))],
      [wrappedNative, createTokenCode({ symbol: 'WETH', decimals: 18, isWrappedNative: true })],
      [ethFlow, createEthFlowCode({ settlementContract, wrappedNative, chainId })],
      [DAI.address, createTokenCode({ symbol: 'DAI', decimals: 18 })],
      [COW.address, createTokenCode({ symbol: 'COW', decimals: 18 })],
    ]),
    ...{ genesisTime, blockTimeSeconds: 1, baseFee: 0n },
  })
  chain.store.set(toBalanceKey(DAI.address, owner), 10n ** 27n)
  chain.store.set(toBalanceKey(COW.address, owner), 10n ** 27n - 10n ** 24n)
  chain.store.set(toBalanceKey(COW.address, settlementContract), 10n ** 24n)
  chain.store.set(toAllowanceKey(DAI.address, owner, vaultRelayer), maxUint256)
  chain.store.set(toAllowanceKey(wrappedNative, ethFlow, vaultRelayer), maxUint256)
  for (const account of accounts) chain.store.set(toWeiKey(account), 10n ** 21n)
  chain.mine()
  return chain
}

/** Logs without their place, for a comparison with those of a local chain. */
export const toPlainLogs = (logs: readonly { address: Address; topics: readonly Hex[]; data: Hex }[]) =>
  logs.map(({ address, topics, data }) => ({ address: address.toLowerCase(), topics, data }))
