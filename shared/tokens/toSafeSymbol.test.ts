import { expect, test } from 'vitest'
import { toSafeSymbol } from './toSafeSymbol.ts'

test.each<[string, string | null | undefined, string | undefined]>([
  ['plain', 'USDC', 'USDC'],
  ['bridged', 'USDC.e', 'USDC.e'],
  ['a sign', 'USD₮0', 'USD₮0'],
  ['a dollar', '$MYRO', '$MYRO'],
  ['a pair', 'crvUSD/WETH', 'crvUSD/WETH'],
  ['another script', '柴犬', '柴犬'],
  ['nothing', '', undefined],
  ['unknown', null, undefined],
  ['markup', '<b onclick="x">[A](b)*_`', 'bonclickxAb_'],
  ['controls', 'U\u0000S\u001b[1mD\r\nC', 'US1mDC'],
  ['reversed', '\u202eCDSU\u2066\u200b', 'CDSU'],
  ['stacked marks', `Z${'\u0301\u0334'.repeat(50)}`, 'Ź'],
  ['a sentence', 'USDC sent! claim your refund now please', 'USDCsentclaimyourre…'],
  ['a link', 'https://claim.example/x', undefined],
  ['a host', 'claim-usdc.com', undefined],
  ['a command for a bot', '/stop', 'stop'],
  ['an invisible letter', 'U\u3164S\u115fDC', 'USDC'],
  ['only invisible letters', '\u3164\uffa0', undefined],
  ['long', 'A'.repeat(256), `${'A'.repeat(19)}…`],
  ['only emoji', '🐕🐕', '🐕🐕'],
])('%s', (_, symbol, safe) => {
  expect(toSafeSymbol(symbol)).toBe(safe)
})
