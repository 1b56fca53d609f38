import { type Address, encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import { connectChain } from '#shared/chain/connectChain.ts'
import { settlementAbi } from '#shared/chain/settlementAbi.ts'
import { describeError } from '#shared/http/describeError.ts'
import { mapBounded } from '#shared/mapBounded.ts'
import type { Network } from '#shared/networks.ts'
import { computeDomainSeparator } from '#shared/signing/domainSeparator.ts'
import { type DoctorFinding, limited, ok, wrong } from './finding.ts'
import { queryChain } from './queryChain.ts'

const atOnce = 4
const toRemedy = (source: string): string =>
  `compare ${source} with the explorer; the node must serve the full state of its head`
/** by the source of an address */
const remedies = {
  settings: toRemedy("CONTRACTS, or `contracts` of the network's entry (docs/networks.md),"),
  entry: toRemedy("the network's entry (docs/networks.md)"),
  multicall: `\`npm run contracts\` deploys it; ${toRemedy("`contracts` of the network's entry")}`,
}
/** when the address is missing */
const missing = {
  ...remedies,
  settings: '`npm run contracts` deploys them and writes CONTRACTS',
  entry: "add it to the network's entry (docs/networks.md), if the chain has one",
}

/**
 * Whether the contracts are at the addresses of the network's entry, and the settlement contract has the expected
 * domain separator.
 */
export const checkContracts = async (rpcUrl: string, network: Network): Promise<DoctorFinding[]> => {
  const contracts: [name: string, address: Address, source: keyof typeof remedies, without?: string][] = [
    ['settlement contract', network.settlementContract, 'settings'],
    ['vault relayer', network.vaultRelayer, 'settings'],
    ['wrapped native token', network.wrappedNative, 'entry'],
    ['multicall3', network.multicall3, 'multicall'],
    ['hooks trampoline', network.hooksTrampoline, 'settings'],
    ['contract for native sales', network.ethFlow, 'settings', 'native tokens cannot be sold'],
    ['registry of conditional orders', network.composableCow, 'settings', 'no TWAP or other conditional orders'],
    ['Uniswap V2 factory', network.uniswapV2Factory, 'entry', 'the reference solver finds no V2 pools'],
    ['Uniswap V3 factory', network.uniswapV3.factory, 'entry', 'the reference solver finds no V3 pools'],
    ['Uniswap V3 router', network.uniswapV3.router, 'entry', 'the reference solver cannot use V3 pools'],
  ]
  const findings = await mapBounded(contracts, atOnce, async ([name, address, source, without]) => {
    const isNamed = address !== zeroAddress
    const remedy = (isNamed ? remedies : missing)[source]
    const answer = await queryChain(rpcUrl, 'eth_getCode', [address, 'latest'])
    if (answer.kind !== 'result') return wrong(name, `${address}: ${answer.message}`, remedy)
    if (typeof answer.result === 'string' && answer.result.length > 2) return ok(name, address)
    const lack = isNamed ? `no contract at ${address}` : 'has no address'
    return without ? limited(name, `${lack}: ${without}`, remedy) : wrong(name, lack, remedy)
  })
  findings.push(await checkDollar(rpcUrl, network))
  return findings[0]?.state === 'ok' ? [...findings, ...(await checkSettlement(rpcUrl, network))] : findings
}

/** Other decimals in the entry would move every price in dollars by powers of ten. */
const checkDollar = async (rpcUrl: string, { usdReference }: Network): Promise<DoctorFinding> => {
  const { address, decimals } = usdReference
  const call = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })
  const answer = await queryChain(rpcUrl, 'eth_call', [{ to: address, data: call }, 'latest'])
  if (answer.kind !== 'result' || !/^0x[0-9a-f]{64}$/.test(String(answer.result)))
    return limited('dollar token', `no token at ${address}: no token has a price in dollars`, remedies.entry)
  const found = BigInt(String(answer.result))
  if (found === BigInt(decimals)) return ok('dollar token', address)
  return wrong('dollar token', `${address} has ${found} decimals, the entry ${decimals}`, remedies.entry)
}

const checkSettlement = async (rpcUrl: string, network: Network): Promise<DoctorFinding[]> => {
  const chain = connectChain(rpcUrl, network.chainId)
  const read = (functionName: 'domainSeparator' | 'vaultRelayer') =>
    chain.readContract({ address: network.settlementContract, abi: settlementAbi, functionName })
  const expected = computeDomainSeparator(network.chainId, network.settlementContract)
  const compare = (name: string, found: string, wanted: string): DoctorFinding =>
    found.toLowerCase() === wanted
      ? ok(name, 'as expected')
      : wrong(name, `${found}, expected ${wanted}`, remedies.settings)
  try {
    return [
      compare('signing domain', await read('domainSeparator'), expected),
      compare("settlement contract's relayer", await read('vaultRelayer'), network.vaultRelayer),
    ]
  } catch (error) {
    return [wrong('signing domain', describeError(error), remedies.settings)]
  }
}
