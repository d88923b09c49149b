/**
 * The ECharts offset that moves a turned label by `x`, `y` pixels on the screen: ECharts turns the offset together
 * with the label, so it has to be turned back.
 */
export function labelOffset(
  by: { readonly x: number; readonly y: number },
  rotateDegrees: number,
): [number, number] {
  const angle = (rotateDegrees * Math.PI) / 180;
  return [by.x * Math.cos(angle) - by.y * Math.sin(angle), by.x * Math.sin(angle) + by.y * Math.cos(angle)];
}
