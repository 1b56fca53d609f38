import { type Address, encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'

const stopLossType = parseAbiParameters([
  'StopLoss order',
  'struct StopLoss { address sellToken; address buyToken; uint256 sellAmount; uint256 buyAmount; bytes32 appData; address receiver; bool isSellOrder; bool isPartiallyFillable; uint32 validityBucketSeconds; address sellTokenPriceOracle; address buyTokenPriceOracle; int256 strike; uint256 maxTimeSinceLastOracleUpdate; }',
])

/** Static input of a stop-loss order, see contracts/StopLoss.sol. */
export const encodeStopLoss = (order: {
  sellToken: Address
  buyToken: Address
  sellAmount: bigint
  buyAmount: bigint
  appData: Hex
  receiver: Address
  isSellOrder: boolean
  isPartiallyFillable: boolean
  validityBucketSeconds: number
  sellTokenPriceOracle: Address
  buyTokenPriceOracle: Address
  strike: bigint
  maxTimeSinceLastOracleUpdate: bigint
}): Hex => encodeAbiParameters(stopLossType, [order])

const goodAfterTimeType = parseAbiParameters([
  'GoodAfterTime order',
  'struct GoodAfterTime { address sellToken; address buyToken; address receiver; uint256 sellAmount; uint256 minSellBalance; uint256 startTime; uint256 endTime; bool allowPartialFill; bytes priceCheckerPayload; bytes32 appData; }',
])

/** Static input of an order that is good after a time, see contracts/GoodAfterTime.sol. */
export const encodeGoodAfterTime = (order: {
  sellToken: Address
  buyToken: Address
  receiver: Address
  sellAmount: bigint
  minSellBalance: bigint
  startTime: bigint
  endTime: bigint
  allowPartialFill: boolean
  priceCheckerPayload: Hex
  appData: Hex
}): Hex => encodeAbiParameters(goodAfterTimeType, [order])
