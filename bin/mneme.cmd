@echo off
rem Starts Mneme from a checkout on Windows; npm makes its own shim for an installed package.
node "%~dp0mneme" %*
