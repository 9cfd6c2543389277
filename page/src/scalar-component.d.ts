declare module "scalar-component?url" {
  const url: string;
  export default url;
}
