import WhirlLauncher

await Launcher.main()
