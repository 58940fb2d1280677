import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getTextDirection } from '~/domain/language/locales'

/** Shows two values with an arrow in the reading direction, which no line ends with. */
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
