/** A change of one place of the service, which a simulation must find. */
export type DeliberateFault = {
  name: string
  /** file from the root of the sources */
  file: string
  /** text that stands there once */
  find: string
  replace: string
}

/** One fault of each kind that simulations are for. */
export const deliberateFaults: readonly DeliberateFault[] = [
  {
    name: 'wrongRounding',
    file: 'shared/amounts/computeScore.ts',
    find: 'mulDivFloor(buyAtoms, buyPrice, auctionPriceScale)',
    replace: '(buyAtoms * buyPrice + auctionPriceScale - 1n) / auctionPriceScale',
  },
  {
    name: 'lostEvent',
    file: 'functions/auctions/indexing/findChainEvents.ts',
    find: 'found.invalidations.push({',
    replace: 'if (log.logIndex % 2 > 0) found.invalidations.push({',
  },
  {
    name: 'missingLock',
    file: 'functions/auctions/createClock.ts',
    find: 'if (auction) return',
    replace: '',
  },
  {
    name: 'scoreOffByOne',
    file: 'functions/auctions/competition/scoreSolution.ts',
    find: "checkUint256(score + orderScore, 'score')",
    replace: "checkUint256(score + orderScore + 1n, 'score')",
  },
  {
    name: 'doubleFee',
    file: 'functions/auctions/settlement/decodeSettlement.ts',
    find: 'sold > uniformSell ? sold - uniformSell : 0n',
    replace: 'sold > uniformSell ? 2n * (sold - uniformSell) : 0n',
  },
  {
    name: 'skippingCursor',
    file: 'functions/streams/createLogReader.ts',
    find: 'moveTo(page.position)',
    replace: 'moveTo({ ...page.position, writtenBy: page.position.writtenBy + 1n })',
  },
  {
    name: 'staleBalance',
    file: 'functions/auctions/book/funds/findBalances.ts',
    find: 'return [...touched.keys, ...[...unlisted, ...old]',
    replace: 'return [...[...unlisted, ...old]',
  },
  {
    name: 'lostAlarm',
    file: 'functions/auctions/AuctionClock.ts',
    find: 'await this.ctx.storage.setAlarm(Date.now() + (this.#clock',
    replace: 'if (Date.now() % 7 > 0) await this.ctx.storage.setAlarm(Date.now() + (this.#clock',
  },
  {
    name: 'nonceGap',
    file: 'functions/solver/settling/sendSettlement.ts',
    find: 'const nonce = Math.max(pending, ...used)',
    replace: 'const nonce = Math.max(pending, ...used) + 1',
  },
  {
    name: 'lostMessage',
    file: 'functions/notifier/dispatchDeliveries.ts',
    find: 'const queueLeaseMs = 60_000',
    replace: 'const queueLeaseMs = 60_000_000',
  },
  {
    name: 'unstableKey',
    file: 'functions/notifier/toMessage.ts',
    find: 'delivery.revision}',
    replace: 'delivery.attempt}',
  },
  {
    name: 'lostCorrection',
    file: 'schema/queries/notifications/retractNotifications.ts',
    find: '.set({ retractedAt: sql`now()`, revision:',
    replace: '.set({ retractedAt: sql`now()`, revision: notifications.revision ?? ',
  },
  {
    name: 'forgottenHooks',
    file: 'functions/solver/solutions/buildSettlement.ts',
    find: 'post: fills.flatMap(({ order }) => order.postInteractions),',
    replace: 'post: [],',
  },
  {
    name: 'reportOffByOne',
    file: 'functions/debug/report/toDebugReport.ts',
    find: 'buyAmount: buyAmount.toString(),',
    replace: 'buyAmount: (buyAmount + 1n).toString(),',
  },
  {
    name: 'lostLimit',
    file: 'shared/connections/connectionLimit.ts',
    find: 'if (isFree(kind)) return run(kind, send)',
    replace: 'return run(kind, send)',
  },
  {
    name: 'lostProtocolFee',
    file: 'functions/auctions/competition/undoFees.ts',
    find: 'toScaledFactor(policy.factor / (1 - policy.factor))',
    replace: 'toScaledFactor(policy.factor)',
  },
  {
    name: 'separateCaps',
    file: 'shared/fees/capPartnerFees.ts',
    find: '(limit * scaledWhole) / product - scaledWhole',
    replace: 'limit - scaledWhole',
  },
  {
    name: 'forgottenQuote',
    file: 'shared/fees/computeFreeLimit.ts',
    find: 'return maxOf(quoted, limitBuy)',
    replace: 'return limitBuy',
  },
  {
    name: 'cheapGas',
    file: 'functions/solver/batches/computeOrderCost.ts',
    find: 'mulDivCeil(gas * gasPrice,',
    replace: 'mulDivCeil((gas * gasPrice) / 4n,',
  },
  {
    name: 'generousQuote',
    file: 'functions/quotes/amounts/computeQuoteAmounts.ts',
    find: 'mulDivFloor(estimate.buyAmount, sellAmount, size.amount)',
    replace: '(estimate.buyAmount * 105n) / 100n',
  },
  {
    name: 'restlessClock',
    file: 'functions/auctions/AuctionClock.ts',
    find: 'this.#clock ? tickMs : retryMs',
    replace: '0',
  },
  {
    name: 'forgivenMismatch',
    file: 'functions/auctions/settlement/computeShortfalls.ts',
    find: 'return isShort(amounts, promised) ?',
    replace: 'return isShort(amounts, promised) && amounts === noAmounts ?',
  },
  {
    name: 'unrankedPrice',
    file: 'functions/auctions/competition/pickWinners.ts',
    find: 'compareDescending(a.score, b.score)',
    replace: 'compareDescending(b.score, a.score)',
  },
  {
    name: 'uncheckedReveal',
    file: 'functions/auctions/competition/revealSolution.ts',
    find: 'if (fault) return { fault, isOwn: true }',
    replace: '',
  },
  {
    name: 'blamedSolver',
    file: 'functions/auctions/settling/findBlame.ts',
    find: 'if (mined) return none(`its',
    replace: "if (mined) return { ...none('', []), party: 'solver' }\n    if (mined) return none(`its",
  },
  {
    name: 'acceptedNothing',
    file: 'functions/auctions/book/findSignatureVerdicts.ts',
    find: "outcome !== 'failed' && isAccepted(owner, outcome)",
    replace: "outcome !== 'failed' && (outcome === '0x' || isAccepted(owner, outcome))",
  },
  {
    name: 'mildSuspension',
    file: 'functions/auctions/settling/computeRules.ts',
    find: 'if (!suspension) return true',
    replace: "if (!suspension || suspension.reason === 'mismatch') return true",
  },
  {
    name: 'provenByAnyPool',
    file: 'functions/auctions/book/createBook.ts',
    find: 'memory.prices.get(token)?.isDeep',
    replace: 'memory.prices.get(token)',
  },
  {
    name: 'largerSide',
    file: 'schema/queries/fragments/valueOfTrade.ts',
    find: 'is not null then least(',
    replace: 'is not null then 2 * greatest(',
  },
  {
    name: 'freePlaces',
    file: 'schema/queries/auctions/openBook.ts',
    find: ' + gas.cost / nullif(part, 0)) /',
    replace: ') /',
  },
  {
    name: 'worthlessFees',
    file: 'functions/solver/batches/executeAlong.ts',
    find: 'if (!sellToken || market.feeTokens.has(sellToken)) return',
    replace: 'if (sellToken) return',
  },
  {
    name: 'judgedByNativePrices',
    file: 'functions/auctions/book/exclude.ts',
    find: 'executable: offers.get(order.uid),',
    replace: `executable: {
        sellAmount: 10n ** 36n,
        buyAmount: (10n ** 36n * (prices.get(order.sellToken) ?? 0n)) / (prices.get(order.buyToken) ?? 1n),
      },`,
  },
  {
    name: 'uncomparedFills',
    file: 'functions/auctions/indexing/comparison/createComparison.ts',
    find: 'const isExplained = filled === executed ||',
    replace: 'const isExplained = true ||',
  },
  {
    name: 'restlessList',
    file: 'functions/auctions/book/diffListedOrders.ts',
    find: 'else if (before.get(uid) !== body)',
    replace: "else if (before.get(uid) !== '')",
  },
  {
    name: 'lateParts',
    file: 'functions/auctions/strategies/schedule.ts',
    find: 'const nextTime = Math.max(validTo + 1, seconds + pause)',
    replace: 'const nextTime = Math.max(validTo + 20, seconds + pause)',
  },
  {
    name: 'lostTurns',
    file: 'functions/auctions/competition/createReadability.ts',
    find: '!rivals.has(uid) || taken.has(uid)',
    replace: '!rivals.has(uid)',
  },
  {
    name: 'blamedMoves',
    file: 'schema/queries/settlements/countFailures.ts',
    find: "->>'movedBlocks')::integer, 4), 4)",
    replace: "->>'movedBlocks')::integer, 4), 4) * 12",
  },
  {
    name: 'undampedOutcomes',
    file: 'schema/queries/events/orderTransitions.ts',
    find: "{ rows: 12, time: '1 hour' },",
    replace: '',
  },
  {
    name: 'openRefusal',
    file: 'shared/http/createApp.ts',
    find: "if (status === 503) c.header('Retry-After', computeRetryAfter(error.errorType))",
    replace: '',
  },
]
