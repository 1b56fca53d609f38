import { concat, type Hex, numberToHex } from 'viem'

/** A number as bytes. */
export const numberedBytes = (number: number, size: number): Hex => numberToHex(number, { size })
export const busyOwner = numberedBytes(0xb0, 20)
/** of all orders, so that the end of a UID is a constant; seconds, Unix */
export const farValidTo = 4_000_000_000

/** SQL of a number as bytes. */
export const bytesOf = (expression: string, size: number) =>
  `decode(lpad(to_hex((${expression})::bigint), ${size * 2}, '0'), 'hex')`
/** SQL of columns of order `i`. */
export const uidColumn = `${bytesOf('i * 2654435761 % 4294967296', 4)} || ${bytesOf('i', 28)} || decode('${busyOwner.slice(2)}', 'hex') || ${bytesOf(`${farValidTo}`, 4)}`
export const historySellToken = numberedBytes(0x70, 20)
export const historyBuyToken = numberedBytes(0x71, 20)
export const sellColumn = `case when i % 4 < 3 then ${bytesOf('112', 20)} else ${bytesOf('i % 97 + 4096', 20)} end`
export const buyColumn = `case when i % 4 < 2 then ${bytesOf('113', 20)} else ${bytesOf('i % 89 + 8192', 20)} end`
export const ownerColumn = `case when i % 10 = 0 then ${bytesOf('176', 20)} else ${bytesOf('i % 20011 + 65536', 20)} end`
export const userColumn = `case when i % 50 = 7 then ${bytesOf('224', 20)} end`
/** a code on all orders of the busy account, and on one of a thousand others */
export const codeColumn = `case when i % 10 = 0 or i % 1000 = 1 then 'CODE' end`
export const solverColumn = `${bytesOf('i % 5 + 80', 20)}`

/** The hash begins with a scattered number, as keccak-256 does. */
export const historyUidOf = (number: number): Hex =>
  concat([
    numberedBytes(Number((BigInt(number) * 2_654_435_761n) % 4_294_967_296n), 4),
    numberedBytes(number, 28),
    busyOwner,
    numberedBytes(farValidTo, 4),
  ])
