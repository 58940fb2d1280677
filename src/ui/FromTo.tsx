import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getTextDirection } from '~/domain/language/locales'
import { Address } from './format/address'

/** Shows two places with an arrow in the reading direction, which no line ends with. */
export const FromTo = ({ from, to }: { from: ReactNode; to: ReactNode }) => {
  const { i18n } = useTranslation()
  return (
    <>
      <bdi>{from}</bdi> {getTextDirection(i18n.language) === 'rtl' ? '←' : '→'}
      {'\u00A0'}
      <bdi>{to}</bdi>
    </>
  )
}

/** Shows the pickup and the drop-off of a trip in one line. */
export const FromToAddress = ({ from, to }: { from: string; to: string }) => (
  <FromTo from={<Address value={from} />} to={<Address value={to} />} />
)
