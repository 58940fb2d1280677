import { useTranslation } from 'react-i18next'
import { directionOf } from '~/src/i18n/speak'

/** Two places with an arrow in the direction one reads. */
export const FromTo = ({ from, to }: { from: string; to: string }) => {
  const { i18n } = useTranslation()
  return (
    <>
      <bdi>{from}</bdi> {directionOf(i18n.language) === 'rtl' ? '←' : '→'} <bdi>{to}</bdi>
    </>
  )
}
