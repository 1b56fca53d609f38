import type { AccessList, Address, Hex } from 'viem'
import { type Code, require } from '../machine.ts'

/** Slot in which a proxy has its implementation. */
const implementationSlot: Hex = `0x${'0'.repeat(63)}7`
/** gas units of reading the slot and of calling the implementation, declared and not (EIP-2929) */
const [declaredGas, undeclaredGas] = [200n, 4_700n]

/** What a transaction declares so that a proxy can take ether with 2,300 gas. */
export const toProxyAccess = (proxy: Address, implementation: Address): AccessList => [
  { address: proxy, storageKeys: [implementationSlot] },
  { address: implementation, storageKeys: [] },
]

/** A proxy that takes ether, and accepts every call. */
export const createProxyCode =
  (implementation: Address): Code =>
  (frame) => {
    frame.charge(frame.isDeclared(implementation) ? declaredGas : undeclaredGas)
    return '0x'
  }

/** A contract that takes no ether, or in some blocks only. */
export const createRefusingCode =
  (takes: (block: number) => boolean = () => false): Code =>
  (frame) => {
    require(frame.value === 0n || takes(frame.block.number), 'no ether')
    return '0x'
  }
