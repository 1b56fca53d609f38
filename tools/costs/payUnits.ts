import { listPrices } from './costInputs.ts'

export const daysPerMonth = 30

/** @param before units of a day that are paid elsewhere and use up the first step */
export const payUnits = (perDay: number, before = 0): number =>
  payAll((before + perDay) * daysPerMonth) - payAll(before * daysPerMonth)

const payAll = (units: number): number => {
  const { step, perMillion, perMillionAbove } = listPrices.nodeUnits
  return (Math.min(units, step) * perMillion + Math.max(0, units - step) * perMillionAbove) / 1e6
}
